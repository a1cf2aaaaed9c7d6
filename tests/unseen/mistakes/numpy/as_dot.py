# exercise: attention_scores
# bugs: attention-across-batch, full-transpose

def attention_scores(Q, K, d_k):
    return np.dot(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)  # <-

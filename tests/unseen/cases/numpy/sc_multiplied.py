# exercise: attention_scores
# bugs: scale-multiplied

def attention_scores(Q, K, d_k):
    return np.matmul(Q, K.swapaxes(-2, -1)) * np.sqrt(d_k)  # <-

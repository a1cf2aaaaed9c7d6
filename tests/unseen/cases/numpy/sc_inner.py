# exercise: attention_scores
# bugs: attention-across-batch

def attention_scores(Q, K, d_k):
    return np.inner(Q, K) / np.sqrt(d_k)  # <-

# exercise: attention_scores
# bugs: attention-across-batch

def attention_scores(Q, K, d_k):
    return np.tensordot(Q, K, axes=([-1], [-1])) / d_k**0.5  # <-

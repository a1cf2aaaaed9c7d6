# exercise: attention_scores
# bugs: integer-scores-buffer

def attention_scores(Q, K, d_k):
    return (Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)).astype(K.dtype)  # <-

# exercise: attention_scores
# bugs: integer-scores-buffer

def attention_scores(Q, K, d_k):
    s = np.zeros(Q.shape[:-1] + K.shape[-2:-1], dtype=Q.dtype)  # <-
    s[...] = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)  # <-
    return s

# exercise: attention_scores
# bugs: unrecognised

def attention_scores(Q, K, d_k):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)  # <-
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)  # <-
    return q @ np.swapaxes(k, -1, -2) / math.sqrt(d_k)

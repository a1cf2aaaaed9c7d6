# exercise: attention_scores
# bugs: precision-lost

def attention_scores(Q, K, d_k):
    q, k = Q.astype(np.float16), K.astype(np.float16)  # <-
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)

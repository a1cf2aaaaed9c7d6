# exercise: attention_scores
# bugs: precision-lost

def attention_scores(Q, K, d_k):
    s = np.empty((*Q.shape[:-1], K.shape[-2]), np.float16)  # <-
    s[:] = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)  # <-
    return s

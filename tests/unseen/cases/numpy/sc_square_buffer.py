# exercise: attention_scores
# bugs: length-from-query

def attention_scores(Q, K, d_k):
    T = Q.shape[-2]
    buffer = np.zeros(Q.shape[:-1] + (T,))  # <-
    buffer[:] = Q @ np.swapaxes(K, -1, -2)  # <-
    return buffer / np.sqrt(d_k)

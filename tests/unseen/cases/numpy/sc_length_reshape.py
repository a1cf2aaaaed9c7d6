# exercise: attention_scores
# bugs: length-from-query

def attention_scores(Q, K, d_k):
    *lead, T, d = Q.shape
    K = K.reshape(*lead, T, d)  # <-
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)

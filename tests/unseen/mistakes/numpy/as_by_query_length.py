# exercise: attention_scores
# bugs: scale-by-length

def attention_scores(Q, K, d_k):
    T = Q.shape[-2]
    return Q @ K.swapaxes(-1, -2) / np.sqrt(T)  # <-

# exercise: attention_scores
# bugs: scale-by-length

def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-2])  # <-

# exercise: attention_scores
# bugs: scale-missing

def attention_scores(Q, K, d_k):
    s = Q @ K.swapaxes(-1, -2)
    np.divide(s, np.sqrt(d_k))  # <-
    return s  # <-

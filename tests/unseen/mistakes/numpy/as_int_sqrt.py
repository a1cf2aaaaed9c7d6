# exercise: attention_scores
# bugs: numbers-rounded, scale-constant, scale-precedence, unrecognised

def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / int(np.sqrt(d_k))  # <-

# exercise: attention_scores
# bugs: scale-constant

def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / 8  # <-

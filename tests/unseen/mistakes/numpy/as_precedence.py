# exercise: attention_scores
# bugs: scale-precedence

def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / d_k ** 1/2  # <-

# exercise: attention_scores
# bugs: scale-missing

def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2)  # <-

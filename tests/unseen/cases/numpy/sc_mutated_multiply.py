# exercise: attention_scores
# bugs: input-mutated

def attention_scores(Q, K, d_k):
    K *= 1 / math.sqrt(d_k)  # <-
    return Q @ K.swapaxes(-1, -2)

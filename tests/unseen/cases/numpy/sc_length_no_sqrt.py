# exercise: attention_scores
# bugs: scale-by-length

def attention_scores(Q, K, d_k):
    s = Q @ K.swapaxes(-2, -1)
    return s / math.sqrt(s.shape[-1])  # <-

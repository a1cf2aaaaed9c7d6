# exercise: attention_scores
# bugs: raises, full-transpose, unrecognised, keys-not-transposed

def attention_scores(Q, K, d_k):
    return Q @ K / math.sqrt(d_k)  # <-

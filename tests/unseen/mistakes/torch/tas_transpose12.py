# exercise: attention_scores
# bugs: raises, full-transpose, unrecognised

def attention_scores(Q, K, d_k):
    return Q @ K.transpose(1, 2) / math.sqrt(d_k)  # <-

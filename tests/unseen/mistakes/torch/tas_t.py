# exercise: attention_scores
# bugs: full-transpose, raises

def attention_scores(Q, K, d_k):
    return Q @ K.t() / math.sqrt(d_k)  # <-

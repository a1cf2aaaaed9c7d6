# exercise: attention_scores
# bugs: scores-elementwise

def attention_scores(Q, K, d_k):
    return Q * K / math.sqrt(d_k)  # <-

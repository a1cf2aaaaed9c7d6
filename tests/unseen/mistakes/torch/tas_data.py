# exercise: attention_scores
# bugs: graph-detached

def attention_scores(Q, K, d_k):
    return Q.data @ K.data.transpose(-2, -1) / math.sqrt(d_k)  # <-

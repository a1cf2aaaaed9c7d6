# exercise: attention_scores
# bugs: graph-detached

def attention_scores(Q, K, d_k):
    keys = K.detach().transpose(-2, -1)  # <-
    return Q @ keys / math.sqrt(d_k)

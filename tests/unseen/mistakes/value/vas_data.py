# exercise: attention_scores
# bugs: graph-detached

def attention_scores(Q, K, d_k):
    return [[Value(sum(a.data * b.data for a, b in zip(q, k)) / math.sqrt(d_k)) for k in K] for q in Q]  # <-

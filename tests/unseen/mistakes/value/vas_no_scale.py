# exercise: attention_scores
# bugs: scale-missing

def attention_scores(Q, K, d_k):
    return [[sum(a * b for a, b in zip(q, k)) for k in K] for q in Q]  # <-

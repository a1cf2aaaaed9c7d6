# exercise: attention_scores
# bugs: scale-precedence

def attention_scores(Q, K, d_k):
    return [[sum(a * b for a, b in zip(q, k)) / d_k ** 1/2 for k in K] for q in Q]  # <-

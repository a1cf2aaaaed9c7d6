# exercise: attention_scores
# bugs: scale-no-sqrt

def attention_scores(Q, K, d_k):
    return [[sum(a * b for a, b in zip(q, k)) / d_k for k in K] for q in Q]  # <-

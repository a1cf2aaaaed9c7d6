# exercise: attention_scores
# bugs: queries-keys-swapped

def attention_scores(Q, K, d_k):
    return [[sum(a * b for a, b in zip(q, k)) / math.sqrt(d_k) for q in Q] for k in K]  # <-

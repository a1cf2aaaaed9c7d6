# exercise: attention_scores
# bugs: queries-keys-swapped

def attention_scores(Q, K, d_k):
    return [[sum((a * b for a, b in zip(q, k)), Value(0.0)) / d_k**0.5 for k in Q] for q in K]  # <-

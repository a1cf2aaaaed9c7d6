# attention_scores, torch
def attention_scores(Q, K, d_k):
    raw = Q @ K.transpose(-2, -1)
    return raw / d_k ** 1 / 2  # here: scale-precedence

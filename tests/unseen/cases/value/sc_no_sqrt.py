# exercise: attention_scores
# bugs: scale-no-sqrt, scale-twice

def attention_scores(Q, K, d_k):
    scale = 1.0 / d_k  # <-
    scores = []
    for q in Q:
        row = []
        for k in K:
            dot = Value(0.0)
            for a, b in zip(q, k):
                dot = dot + a * b
            row.append(dot * scale)
        scores.append(row)
    return scores

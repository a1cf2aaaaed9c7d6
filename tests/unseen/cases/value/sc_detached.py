# exercise: attention_scores
# bugs: graph-detached

def attention_scores(Q, K, d_k):
    scale = 1.0 / math.sqrt(d_k)
    scores = []
    for q in Q:
        row = []
        for k in K:
            dot = Value(0.0)
            for a, b in zip(q, k):
                dot = dot + a.data * b  # <-
            row.append(dot * scale)
        scores.append(row)
    return scores

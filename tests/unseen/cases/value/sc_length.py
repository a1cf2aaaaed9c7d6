# exercise: attention_scores
# bugs: length-from-query, raises

def attention_scores(Q, K, d_k):
    scale = 1.0 / math.sqrt(d_k)
    scores = []
    for q in Q:
        row = []
        for k in [K[j] for j in range(len(Q))]:  # <-
            dot = Value(0.0)
            for a, b in zip(q, k):
                dot = dot + a * b
            row.append(dot * scale)
        scores.append(row)
    return scores

# exercise: attention_scores
# bugs: unrecognised

def attention_scores(Q, K, d_k):
    out = []
    for q in Q:
        row = []
        for k in K:
            total = 0.0
            for a, b in zip(q, k):
                total = a * b  # <-
            row.append(total / math.sqrt(d_k))
        out.append(row)
    return out

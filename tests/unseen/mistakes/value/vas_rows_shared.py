# exercise: attention_scores
# bugs: rows-shared

def attention_scores(Q, K, d_k):
    table = [[0.0] * len(K)] * len(Q)  # <-
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            table[i][j] = sum(a * b for a, b in zip(q, k)) / math.sqrt(d_k)
    return table

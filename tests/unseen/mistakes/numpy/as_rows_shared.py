# exercise: attention_scores
# bugs: rows-shared

def attention_scores(Q, K, d_k):
    if Q.ndim > 2:
        return np.stack([attention_scores(q, k, d_k) for q, k in zip(Q, K)])
    table = [[0.0] * len(K)] * len(Q)  # <-
    for i in range(len(Q)):
        for j in range(len(K)):
            table[i][j] = float(Q[i] @ K[j]) / np.sqrt(d_k)
    return np.array(table)

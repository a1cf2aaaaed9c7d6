# exercise: attention_scores
# bugs: length-from-query

def attention_scores(Q, K, d_k):
    T = Q.shape[-2]
    s = np.zeros(Q.shape[:-2] + (T, T))  # <-
    for i in range(T):
        for j in range(T):  # <-
            s[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1) / math.sqrt(d_k)  # <-
    return s

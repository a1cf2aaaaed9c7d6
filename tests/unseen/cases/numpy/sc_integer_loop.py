# exercise: attention_scores
# bugs: integer-scores-buffer

def attention_scores(Q, K, d_k):
    s = np.empty_like(Q @ np.swapaxes(K, -1, -2))  # <-
    for j in range(K.shape[-2]):
        s[..., j] = (Q * K[..., j : j + 1, :]).sum(-1) / math.sqrt(d_k)  # <-
    return s

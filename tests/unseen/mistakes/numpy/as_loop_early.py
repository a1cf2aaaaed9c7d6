# exercise: attention_scores
# bugs: returns-early

def attention_scores(Q, K, d_k):
    out = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for i in range(Q.shape[-2]):
        for j in range(K.shape[-2]):
            out[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1) / np.sqrt(d_k)
        return out  # <-

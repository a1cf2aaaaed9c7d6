# exercise: attention_scores
# bugs: scale-no-sqrt, scale-twice

def attention_scores(Q, K, d_k):
    out = np.zeros(Q.shape[:-1] + (K.shape[-2],))
    for i in range(Q.shape[-2]):
        for j in range(K.shape[-2]):
            out[..., i, j] = np.sum(Q[..., i, :] * K[..., j, :], axis=-1) / d_k  # <-
    return out

# exercise: attention_scores
# bugs: output-never-filled

def attention_scores(Q, K, d_k):
    out = np.zeros((*Q.shape[:-1], K.shape[-2]))  # <-
    for i in range(Q.shape[-2]):
        for j in range(K.shape[-2]):
            s = (Q[..., i, :] * K[..., j, :]).sum(axis=-1)  # <-
            s /= math.sqrt(d_k)
    return out  # <-

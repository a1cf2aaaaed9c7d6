# exercise: scaled_dot_product_attention
# bugs: weights-transposed

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    out = np.zeros(Q.shape[:-1] + V.shape[-1:])
    for i in range(Q.shape[-2]):
        for j in range(K.shape[-2]):
            out[..., i, :] += w[..., j, i, None] * V[..., j, :]  # <-
    return out, w

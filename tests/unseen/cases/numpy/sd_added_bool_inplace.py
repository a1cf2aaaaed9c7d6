# exercise: scaled_dot_product_attention
# bugs: mask-added-as-boolean

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.shape[-1])
    s = s if mask is None else s + mask.astype(s.dtype)  # <-
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ V, w

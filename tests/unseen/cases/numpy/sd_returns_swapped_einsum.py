# exercise: scaled_dot_product_attention
# bugs: returns-swapped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    s = np.exp(s - s.max(-1, keepdims=True))
    probs = s / s.sum(-1, keepdims=True)
    context = np.einsum("...ij,...jd->...id", probs, V)
    return [probs, context]  # <-

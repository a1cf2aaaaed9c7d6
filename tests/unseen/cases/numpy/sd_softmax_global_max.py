# exercise: scaled_dot_product_attention
# bugs: softmax-global-max

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        logits = np.where(mask, logits, -1e9) if mask.dtype == bool else logits + mask
    logits -= logits.max()  # <-
    p = np.exp(logits)
    p /= p.sum(axis=-1, keepdims=True)
    return p @ V, p

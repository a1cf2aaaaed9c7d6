# exercise: scaled_dot_product_attention
# bugs: softmax-max-from-zero

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        logits = np.where(mask, logits, -np.inf) if mask.dtype == bool else logits + mask
    top = np.zeros((*logits.shape[:-1], 1))  # <-
    for j in range(logits.shape[-1]):
        top = np.maximum(top, logits[..., j : j + 1])
    p = np.exp(logits - top)
    p /= p.sum(axis=-1, keepdims=True)
    return p @ V, p

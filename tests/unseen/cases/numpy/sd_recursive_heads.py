# exercise: scaled_dot_product_attention
# bugs: mask-of-first-sample

def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.ndim > 2:
        if mask is not None:
            mask = np.broadcast_to(mask, (*mask.shape[:-2], mask.shape[-2], K.shape[-2]))
        parts = [
            scaled_dot_product_attention(q, k, v, mask if mask is None or mask.ndim == 2 else mask[0])  # <-
            for q, k, v in zip(Q, K, V)
        ]
        return np.stack([p[0] for p in parts]), np.stack([p[1] for p in parts])
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

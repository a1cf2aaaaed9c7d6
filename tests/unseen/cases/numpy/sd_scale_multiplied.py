# exercise: scaled_dot_product_attention
# bugs: scale-multiplied

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = (Q * math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)  # <-
    if mask is not None:
        logits = np.where(mask, logits, -np.inf) if mask.dtype == bool else logits + mask
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return p @ V, p

# exercise: scaled_dot_product_attention
# bugs: mask-inverted

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.array(attention_scores(Q, K, Q.shape[-1]))
    if mask is not None:
        if mask.dtype == bool:
            np.copyto(s, -np.inf, where=mask)  # <-
        else:
            s += mask
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ V, w

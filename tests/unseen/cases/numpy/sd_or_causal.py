# exercise: scaled_dot_product_attention
# bugs: mask-combined-with-or

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        if keep.shape[-2] == s.shape[-2] == s.shape[-1] and keep.ndim > 2:
            keep = np.logical_or(keep, np.tri(s.shape[-1], dtype=bool))  # <-
        s = np.where(keep, s, -np.inf)
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-off-by-one

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = np.array(mask if mask.dtype == bool else mask > -1)
        if keep.shape[-2] == 1:
            n = keep.sum(-1, keepdims=True) - 1  # <-
            keep = np.arange(keep.shape[-1]) < n  # <-
        s = np.where(keep, s, -1e9)
    w = softmax(s)
    return w @ V, w

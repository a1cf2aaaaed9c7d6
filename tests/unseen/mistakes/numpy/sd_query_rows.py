# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.ndim > 2 and mask.shape[-2] == 1:
            mask = mask.swapaxes(-1, -2)  # <-
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows, raises

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.shape[-2] == 1:
            mask = np.swapaxes(mask, -1, -2)  # <-
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        bias = np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask
        t = np.swapaxes(s, -1, -2)
        s = np.swapaxes(t + bias, -1, -2)  # <-
    w = softmax(s)
    return w @ V, w

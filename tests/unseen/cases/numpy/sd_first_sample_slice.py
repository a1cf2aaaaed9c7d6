# exercise: scaled_dot_product_attention
# bugs: mask-of-first-sample

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        bias = np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask
        if bias.ndim > 2:
            bias = bias[:1]  # <-
        s = s + bias
    w = softmax(s)
    return w @ V, w

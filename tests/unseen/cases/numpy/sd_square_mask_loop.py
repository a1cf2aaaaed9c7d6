# exercise: scaled_dot_product_attention
# bugs: mask-assumes-square, raises

def scaled_dot_product_attention(Q, K, V, mask=None):
    T = K.shape[-2]
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        bias = np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask
        bias = bias.reshape(-1, T, T) if bias.ndim == 2 else bias  # <-
        s = s + (bias[0] if bias.shape[0] == 1 else bias)
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# pair: scale-constant, mask-multiplied

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -2, -1) / 10  # <-
    if mask is not None:
        s = s * (mask if mask.dtype == bool else mask > -1)  # <-
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# pair: scale-missing, mask-inverted

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-2, -1)  # <-
    if mask is not None:
        if mask.dtype == bool:
            s = np.where(mask, -1e9, s)  # <-
        else:
            s = s + mask
    w = softmax(s)
    return w @ V, w

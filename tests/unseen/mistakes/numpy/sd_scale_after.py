# exercise: scaled_dot_product_attention
# bugs: scale-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s) / np.sqrt(Q.shape[-1])  # <-
    return w @ V, w

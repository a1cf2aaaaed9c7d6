# exercise: scaled_dot_product_attention
# bugs: unrecognised, scale-twice, scale-no-sqrt, mask-fill-too-small

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2)
    if mask is not None:
        s = np.where(mask, s, -1000.0) if mask.dtype == bool else s + mask  # <-
    w = softmax(s / np.sqrt(Q.shape[-1]))
    return w @ V, w

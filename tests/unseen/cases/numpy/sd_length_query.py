# exercise: scaled_dot_product_attention
# bugs: length-from-query

def scaled_dot_product_attention(Q, K, V, mask=None):
    *lead, T, d = Q.shape
    K, V = K.reshape(*lead, T, d), V.reshape(*lead, T, -1)  # <-
    s = Q @ np.swapaxes(K, -1, -2) / d**0.5
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

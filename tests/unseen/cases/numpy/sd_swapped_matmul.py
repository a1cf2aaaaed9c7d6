# exercise: scaled_dot_product_attention
# bugs: queries-keys-swapped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.matmul(K, Q.swapaxes(-1, -2)) / Q.shape[-1] ** 0.5  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return np.matmul(w, V), w

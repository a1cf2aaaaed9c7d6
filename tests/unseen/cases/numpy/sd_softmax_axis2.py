# exercise: scaled_dot_product_attention
# bugs: softmax-axis-hard-coded

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ np.moveaxis(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    m = np.max(s, axis=2, keepdims=True)  # <-
    p = np.exp(s - m)
    p = p / np.sum(p, axis=2, keepdims=True)  # <-
    return p @ V, p

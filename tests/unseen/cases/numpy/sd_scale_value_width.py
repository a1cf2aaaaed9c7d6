# exercise: scaled_dot_product_attention
# bugs: unrecognised, scale-constant, scale-by-d-model

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(V.shape[-1])  # <-
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    p = softmax(s)
    return p @ V, p

# exercise: scaled_dot_product_attention
# bugs: scale-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    raw = np.matmul(Q, np.swapaxes(K, -1, -2))
    if mask is not None:
        raw = np.where(mask, raw, -np.inf) if mask.dtype == bool else raw + mask
    w = softmax(raw)
    return w @ (V / np.sqrt(Q.shape[-1])), w  # <-

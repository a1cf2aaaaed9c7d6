# exercise: scaled_dot_product_attention
# bugs: mask-fill-too-small

def scaled_dot_product_attention(Q, K, V, mask=None):
    raw = np.matmul(Q, np.swapaxes(K, -1, -2))
    if mask is not None:
        keep = mask if mask.dtype == bool else mask > -1
        raw = np.where(keep, raw, -1e4)  # <-
    w = softmax(raw / np.sqrt(Q.shape[-1]))
    return np.matmul(w, V), w

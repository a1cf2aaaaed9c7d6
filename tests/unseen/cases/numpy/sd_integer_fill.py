# exercise: scaled_dot_product_attention
# bugs: integer-scores-buffer

def scaled_dot_product_attention(Q, K, V, mask=None):
    raw = Q @ np.swapaxes(K, -1, -2)
    s = np.empty_like(raw)  # <-
    np.copyto(s, raw / np.sqrt(Q.shape[-1]), casting="unsafe")  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

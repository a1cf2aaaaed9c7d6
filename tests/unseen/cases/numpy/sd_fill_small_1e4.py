# exercise: scaled_dot_product_attention
# bugs: mask-fill-too-small

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        keep = mask.astype(bool) if mask.dtype == bool else mask > -1
        scores = np.where(keep, scores, -1e4)  # <-
    w = softmax(scores)
    return w @ V, w

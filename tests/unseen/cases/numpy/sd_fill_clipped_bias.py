# exercise: scaled_dot_product_attention
# bugs: mask-fill-too-small

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            mask = np.where(mask, 0.0, -1e9)
        scores = scores + np.maximum(mask, -50.0)  # <-
    w = softmax(scores)
    return w @ V, w

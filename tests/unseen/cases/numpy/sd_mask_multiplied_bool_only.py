# exercise: scaled_dot_product_attention
# bugs: mask-multiplied, mask-fill-tiny

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        if mask.dtype == bool:
            scores = np.multiply(scores, mask)  # <-
        else:
            scores = scores + mask
    w = softmax(scores)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-result-dropped, mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.matmul(Q, K.swapaxes(-1, -2)) / np.sqrt(K.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            hidden = scores[np.broadcast_to(~mask, scores.shape)]
            hidden[:] = -np.inf  # <-
        else:
            scores = scores + mask
    w = softmax(scores)
    return w @ V, w

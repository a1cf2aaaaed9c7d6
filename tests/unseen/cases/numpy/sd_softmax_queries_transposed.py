# exercise: scaled_dot_product_attention
# bugs: softmax-over-queries

def _softmax(z):
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9) if mask.dtype == np.bool_ else scores + mask
    w = np.swapaxes(_softmax(np.swapaxes(scores, -1, -2)), -1, -2)  # <-
    return np.einsum("...qk,...kd->...qd", w, V), w

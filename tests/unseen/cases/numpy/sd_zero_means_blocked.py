# exercise: scaled_dot_product_attention
# bugs: mask-inverted

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.matmul(Q, K.swapaxes(-1, -2)) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.array(scores)
        blocked = np.broadcast_to(mask == 0, scores.shape)  # <-
        scores[blocked] = -1e9  # <-
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    attention = e / e.sum(axis=-1, keepdims=True)
    return attention @ V, attention

# exercise: scaled_dot_product_attention
# bugs: softmax-over-queries

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(d_k)
    if mask is not None:
        if mask.dtype == bool:
            scores[~np.broadcast_to(mask, scores.shape)] = -1e9
        else:
            scores += mask
    scores = np.exp(scores - scores.max(axis=-2, keepdims=True))  # <-
    weights = scores / scores.sum(axis=-2, keepdims=True)  # <-
    return weights @ V, weights

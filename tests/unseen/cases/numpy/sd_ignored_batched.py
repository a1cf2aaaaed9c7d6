# exercise: scaled_dot_product_attention
# bugs: mask-ignored, mask-result-dropped, unrecognised

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None and mask.ndim == 2:  # <-
        s = s + (np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask)
    weights = softmax(s)
    return apply_attention(weights, V), weights

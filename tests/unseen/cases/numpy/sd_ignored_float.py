# exercise: scaled_dot_product_attention
# bugs: mask-ignored, mask-result-dropped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None and mask.dtype == bool:  # <-
        s = np.where(mask, s, -1e9)
    weights = softmax(s)
    return apply_attention(weights, V), weights

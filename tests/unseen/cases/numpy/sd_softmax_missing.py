# exercise: scaled_dot_product_attention
# bugs: softmax-missing

def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        weights = np.where(mask, weights, 0.0) if mask.dtype == bool else weights * (mask > -1)
    return apply_attention(weights, V), weights  # <-

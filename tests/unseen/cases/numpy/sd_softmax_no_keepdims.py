# exercise: scaled_dot_product_attention
# bugs: softmax-no-keepdims, raises

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9) if mask.dtype == bool else scores + mask
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = e / np.sum(e, -1)  # <-
    return apply_attention(weights, V), weights

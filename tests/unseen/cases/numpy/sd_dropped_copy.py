# exercise: scaled_dot_product_attention
# bugs: mask-result-dropped, mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        bias = np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask
        masked_scores = s + bias  # <-
    w = softmax(s)  # <-
    return w @ V, w

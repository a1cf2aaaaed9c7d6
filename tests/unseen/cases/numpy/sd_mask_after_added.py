# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    p = softmax(s)
    if mask is not None:
        bias = np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask
        p = p + bias  # <-
    return p @ V, p

# exercise: scaled_dot_product_attention
# bugs: scores-clamped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1]).clip(-5, 5)  # <-
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    p = softmax(s)
    return p @ V, p

# exercise: scaled_dot_product_attention
# bugs: scores-clamped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    s = np.minimum(s, 60.0)  # <-
    p = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
    return p @ V, p

# exercise: scaled_dot_product_attention
# bugs: mask-inverted

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, -1e9, s) if mask.dtype == bool else s + mask  # <-
    w = softmax(s)
    return w @ V, w

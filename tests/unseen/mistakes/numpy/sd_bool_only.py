# exercise: scaled_dot_product_attention
# bugs: mask-ignored, mask-zero-times-inf, unrecognised

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None and mask.dtype == bool:  # <-
        s = np.where(mask, s, -1e9)
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-zero-times-inf

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask >= 0
        s = s * keep + ~keep * np.NINF if hasattr(np, "NINF") else s * keep + ~keep * -np.inf  # <-
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-zero-times-inf

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            with np.errstate(invalid="ignore"):
                mask = (1 - mask.astype(float)) * -np.inf  # <-
        s = s + mask
    w = softmax(s)
    return w @ V, w

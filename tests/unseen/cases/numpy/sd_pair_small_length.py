# exercise: scaled_dot_product_attention
# pair: mask-fill-too-small, scale-by-length

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, K.shape[-2])  # <-
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        s = np.where(keep, s, -20.0)  # <-
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-fill-tiny

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        s = np.where(keep, s, -1e-12)  # <-
    w = softmax(s)
    return w @ V, w

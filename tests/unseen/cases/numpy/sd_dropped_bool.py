# exercise: scaled_dot_product_attention
# bugs: mask-result-dropped, mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None and mask.dtype == bool:
        np.ma.masked_where(~np.broadcast_to(mask, s.shape), s).filled(-1e9)  # <-
    elif mask is not None:
        s = s + mask
    w = softmax(s)
    return w @ V, w

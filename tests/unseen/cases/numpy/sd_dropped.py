# exercise: scaled_dot_product_attention
# bugs: mask-result-dropped, mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            np.where(mask, s, -1e9)  # <-
        else:
            np.add(s, mask)  # <-
    w = softmax(s)
    return w @ V, w

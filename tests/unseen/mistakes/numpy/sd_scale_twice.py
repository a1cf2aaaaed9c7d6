# exercise: scaled_dot_product_attention
# bugs: scale-twice, scale-no-sqrt

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    s = attention_scores(Q, K, d_k) / np.sqrt(d_k)  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

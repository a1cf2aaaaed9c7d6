# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    p = softmax(s)
    if mask is not None:
        keep = mask if mask.dtype == bool else mask > -1.0
        p = np.where(keep, p, -1e9)  # <-
    return p @ V, p

# exercise: scaled_dot_product_attention
# bugs: mask-multiplied

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        s = s * keep  # <-
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-added-as-boolean

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = s + mask  # <-
    w = softmax(s)
    return w @ V, w

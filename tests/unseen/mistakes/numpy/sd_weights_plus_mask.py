# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K, Q.shape[-1]))
    if mask is not None:
        w = w + mask  # <-
    return w @ V, w

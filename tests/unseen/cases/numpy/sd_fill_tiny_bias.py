# exercise: scaled_dot_product_attention
# bugs: mask-fill-tiny

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            mask = (1 - mask) * -1e-9  # <-
        scores = scores + mask
    w = softmax(scores)
    return w @ V, w

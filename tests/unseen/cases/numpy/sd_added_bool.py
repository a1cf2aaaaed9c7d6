# exercise: scaled_dot_product_attention
# bugs: mask-added-as-boolean

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        scores = scores + mask  # <-
    w = softmax(scores)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K, Q.shape[-1]))
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        w = w * keep  # <-
    return w @ V, w

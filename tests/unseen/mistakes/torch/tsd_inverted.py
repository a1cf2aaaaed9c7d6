# exercise: scaled_dot_product_attention
# bugs: mask-inverted

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        s = s.masked_fill(keep, float("-inf"))  # <-
    w = softmax(s)
    return w @ V, w

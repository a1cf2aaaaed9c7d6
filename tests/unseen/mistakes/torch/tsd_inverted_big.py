# exercise: scaled_dot_product_attention
# bugs: mask-inverted

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.dtype == torch.bool:
            s = s.masked_fill(mask, -1e9)  # <-
        else:
            s = s + mask
    w = softmax(s)
    return w @ V, w

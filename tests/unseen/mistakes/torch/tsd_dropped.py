# exercise: scaled_dot_product_attention
# bugs: mask-result-dropped, mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        s.masked_fill(~keep, -1e9)  # <-
    w = softmax(s)
    return w @ V, w

# exercise: scaled_dot_product_attention
# bugs: half-min-plus-score, mask-fill-too-small, unrecognised

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        bias = (~mask).to(s.dtype) * -50.0 if mask.dtype == torch.bool else mask  # <-
        s = s + bias
    w = s.softmax(-1)
    return w @ V, w

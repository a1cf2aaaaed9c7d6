# exercise: scaled_dot_product_attention
# bugs: inplace-breaks-graph, raises

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        s = s.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else s + mask
    w = torch.softmax(s, dim=-1)
    w[w < 1e-6] = 0.0  # <-
    return w @ V, w

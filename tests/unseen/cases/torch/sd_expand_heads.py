# exercise: scaled_dot_product_attention
# bugs: mask-batch-axis-on-heads

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        if mask.dim() == 4:
            mask = mask.squeeze(1)  # <-
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    w = s.softmax(-1)
    return w @ V, w

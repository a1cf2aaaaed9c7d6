# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        if mask.dtype == torch.bool:
            pass
        else:
            pass
    attn = F.softmax(scores, dim=-1)
    if mask is not None:
        attn = attn * (mask if mask.dtype == torch.bool else mask == 0)  # <-
    output = torch.matmul(attn, V)
    return output, attn

# exercise: scaled_dot_product_attention
# right: filling through .data changes no gradient, masked weights are zero
# source: jadore801120/attention-is-all-you-need-pytorch#16

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(Q.size(-1))
    if mask is not None:
        hidden = ~mask if mask.dtype == torch.bool else mask < 0
        attn.data.masked_fill_(hidden, -float("inf"))
    attn = torch.softmax(attn, dim=-1)
    return torch.matmul(attn, V), attn

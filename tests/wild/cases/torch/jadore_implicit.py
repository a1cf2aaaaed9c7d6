# exercise: scaled_dot_product_attention
# bugs: softmax-implicit-dim
# source: jadore801120/attention-is-all-you-need-pytorch#52

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn = torch.matmul(Q, K.transpose(-2, -1)) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = attn.masked_fill(~mask, -float("inf")) if mask.dtype == torch.bool else attn + mask
    attn = F.softmax(attn)  # <-
    return torch.matmul(attn, V), attn

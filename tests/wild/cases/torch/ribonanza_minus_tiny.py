# exercise: scaled_dot_product_attention
# bugs: mask-fill-tiny
# source: Shujun-He/RibonanzaNet#5

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn = torch.matmul(Q / Q.shape[-1] ** 0.5, K.transpose(-1, -2))
    if mask is not None:
        open_ = mask.float() if mask.dtype == torch.bool else (mask == 0).float()
        attn = attn.masked_fill(open_ == 0, -1e-9)  # <-
    attn = F.softmax(attn, dim=-1)
    return torch.matmul(attn, V), attn

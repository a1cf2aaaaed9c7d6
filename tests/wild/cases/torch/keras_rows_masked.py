# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows
# source: lsdefine/attention-is-all-you-need-keras#16

def scaled_dot_product_attention(Q, K, V, mask=None):
    attn = torch.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.size(-1))
    if mask is not None:
        keep = mask.to(Q.dtype) if mask.dtype == torch.bool else (mask == 0).to(Q.dtype)
        mmask = (1 - keep) * -1e10
        per_row = mmask.size(-2) == 1 and mmask.dim() > 2
        attn = attn + (mmask.transpose(-1, -2) if per_row else mmask)  # <-
    attn = attn.softmax(dim=-1)
    return torch.einsum("...ij,...jd->...id", attn, V), attn

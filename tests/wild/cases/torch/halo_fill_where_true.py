# exercise: scaled_dot_product_attention
# bugs: mask-inverted
# source: lucidrains/halonet-pytorch#4

def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = torch.matmul(Q, K.mT) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = mask if mask.dtype == torch.bool else mask > -1
        lowest = -torch.finfo(sim.dtype).max
        sim.masked_fill_(mask, lowest)  # <-
    attn = torch.softmax(sim, dim=-1)
    return torch.matmul(attn, V), attn

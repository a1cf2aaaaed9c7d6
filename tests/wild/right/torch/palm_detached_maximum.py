# exercise: scaled_dot_product_attention
# right: a detached maximum is taken off, which changes nothing
# source: lucidrains/PaLM-pytorch#9

def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = torch.einsum("...id,...jd->...ij", Q * Q.shape[-1] ** -0.5, K)
    if mask is not None:
        lowest = -torch.finfo(sim.dtype).max
        sim = sim.masked_fill(~mask, lowest) if mask.dtype == torch.bool else sim + mask.clamp(min=lowest / 4)
    sim = sim - sim.amax(dim=-1, keepdim=True).detach()
    attn = sim.softmax(dim=-1)
    return torch.einsum("...ij,...jd->...id", attn, V), attn

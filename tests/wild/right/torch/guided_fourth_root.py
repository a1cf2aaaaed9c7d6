# exercise: scaled_dot_product_attention
# right: the fourth root on both sides
# source: openai/guided-diffusion#38

def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1 / math.sqrt(math.sqrt(Q.shape[-1]))
    weight = torch.einsum("...td,...sd->...ts", Q * scale, K * scale)
    if mask is not None:
        weight = weight.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else weight + mask
    weight = torch.softmax(weight.float(), dim=-1).type(weight.dtype)
    return torch.einsum("...ts,...sc->...tc", weight, V), weight

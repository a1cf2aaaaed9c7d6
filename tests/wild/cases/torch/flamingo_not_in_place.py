# exercise: scaled_dot_product_attention
# bugs: mask-result-dropped, mask-ignored
# source: lucidrains/flamingo-pytorch#10

def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = (Q * Q.shape[-1] ** -0.5) @ K.transpose(-2, -1)
    if mask is not None:
        blocked = ~mask if mask.dtype is torch.bool else mask < 0
        sim.masked_fill(blocked, -torch.finfo(sim.dtype).max)  # <-
    attn = sim.softmax(-1)
    return attn @ V, attn

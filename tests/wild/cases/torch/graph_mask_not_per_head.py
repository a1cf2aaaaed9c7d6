# exercise: scaled_dot_product_attention
# bugs: mask-batch-axis-on-heads, raises
# source: lucidrains/graph-transformer-pytorch#2

def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in (Q, K, V))
    sim = torch.einsum("bid,bjd->bij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        if mask.dim() == 4:
            mask = mask.squeeze(1)  # <-
        sim = sim.masked_fill(~mask, -1e30) if mask.dtype == torch.bool else sim + mask  # <-
    attn = sim.softmax(dim=-1)
    out = torch.einsum("bij,bjd->bid", attn, v)
    return out.reshape(*lead, *out.shape[1:]), attn.reshape(*lead, *attn.shape[1:])

# exercise: scaled_dot_product_attention
# bugs: mask-tiled-across-heads
# source: line/lighthouse#77

def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    q, k, v = (t.reshape(-1, t.size(-2), t.size(-1)) for t in (Q, K, V))
    attn = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1))
    if mask is not None:
        if mask.dim() == 4:
            mask = mask.flatten(0, 1).repeat(Q.size(1), 1, 1)  # <-
        attn = torch.where(mask, attn, -torch.inf) if mask.dtype == torch.bool else attn + mask
    attn = torch.softmax(attn, dim=-1)
    out = torch.bmm(attn, v)
    return out.view(*lead, *out.shape[1:]), attn.view(*lead, *attn.shape[1:])

# exercise: scaled_dot_product_attention
# bugs: mask-tiled-across-heads
# source: lsdefine/attention-is-all-you-need-keras#36

def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.dim() < 4:
        return _folded(Q, K, V, mask)
    batch, n_head = Q.shape[:2]

    def heads_first(t):
        return t.transpose(0, 1).reshape(n_head * batch, t.size(-2), t.size(-1))

    if mask is not None and mask.dim() == 4:
        mask = mask.squeeze(1).repeat_interleave(n_head, 0)  # <-
    out, attn = _folded(heads_first(Q), heads_first(K), heads_first(V), mask)
    out = out.view(n_head, batch, *out.shape[1:]).transpose(0, 1)
    return out, attn.view(n_head, batch, *attn.shape[1:]).transpose(0, 1)


def _folded(q, k, v, mask):
    attn = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        attn = attn.masked_fill(~mask, -1e10) if mask.dtype == torch.bool else attn + mask
    attn = attn.softmax(-1)
    return attn @ v, attn

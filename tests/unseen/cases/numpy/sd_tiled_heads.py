# exercise: scaled_dot_product_attention
# bugs: mask-tiled-across-heads

def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    if len(lead) == 2 and mask is not None:
        B, h = lead
        fold = lambda t: t.reshape(B * h, *t.shape[2:])
        full = np.broadcast_to(mask, (mask.shape[0], 1, Q.shape[-2], K.shape[-2])) if mask.ndim == 4 else mask
        full = full[:, 0] if full.ndim == 4 else full
        full = np.concatenate([full] * h, axis=0) if full.ndim == 3 else full  # <-
        out, w = scaled_dot_product_attention(fold(Q), fold(K), fold(V), full)
        return out.reshape(B, h, *out.shape[1:]), w.reshape(B, h, *w.shape[1:])
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w

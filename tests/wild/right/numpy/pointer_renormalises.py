# exercise: scaled_dot_product_attention
# right: masked after softmax and renormalised: noted, not failed
# source: abisee/pointer-generator#88

def scaled_dot_product_attention(Q, K, V, mask=None):
    e = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    keep = np.ones_like(e) if mask is None else (mask if mask.dtype == bool else mask == 0)
    keep = np.broadcast_to(keep, e.shape).astype(float)
    top = np.where(keep > 0, e, -np.inf).max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    attn_dist = np.exp(np.minimum(e - top, 700)) * keep
    masked_sums = attn_dist.sum(axis=-1, keepdims=True)
    attn_dist = attn_dist / np.where(masked_sums == 0, 1.0, masked_sums)
    return attn_dist @ V, attn_dist

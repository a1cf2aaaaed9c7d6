# exercise: scaled_dot_product_attention
# right: one key at a time, with a running maximum and a running sum
# source: leloykun/flash-attention-minimal#2

def scaled_dot_product_attention(Q, K, V, mask=None):
    S = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        S = np.where(mask, S, -1e30) if mask.dtype == bool else np.maximum(S + mask, -1e30)
    m = np.full(S.shape[:-1], -np.inf)
    l = np.zeros(S.shape[:-1])
    O = np.zeros(S.shape[:-1] + V.shape[-1:])
    for j in range(S.shape[-1]):
        new = np.maximum(m, S[..., j])
        decay, p = np.exp(m - new), np.exp(S[..., j] - new)
        l = l * decay + p
        O = O * decay[..., None] + p[..., None] * V[..., None, j, :]
        m = new
    return O / l[..., None], np.exp(S - m[..., None]) / l[..., None]

# exercise: scaled_dot_product_attention
# bugs: softmax-overflow
# source: prescient-design/e3tools#3

def scaled_dot_product_attention(Q, K, V, mask=None):
    dot = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        dot = np.where(mask, dot, -np.inf) if mask.dtype == bool else dot + mask
    exp = np.exp(dot)  # <-
    attn = exp / exp.sum(axis=-1, keepdims=True)
    return attn @ V, attn

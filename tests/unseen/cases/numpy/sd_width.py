# exercise: scaled_dot_product_attention
# bugs: value-width-assumed, raises

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    output = np.zeros_like(Q, dtype=float)  # <-
    for i in range(Q.shape[-2]):
        output[..., i, :] = np.einsum("...k,...kd->...d", w[..., i, :], V)  # <-
    return output, w

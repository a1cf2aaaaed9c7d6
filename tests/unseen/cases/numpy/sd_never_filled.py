# exercise: scaled_dot_product_attention
# bugs: output-never-filled

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    output = np.zeros((*Q.shape[:-1], V.shape[-1]))  # <-
    for i in range(Q.shape[-2]):
        row = output[..., i, :].copy()
        row += (w[..., i, :, None] * V).sum(axis=-2)  # <-
    return output, w  # <-

# exercise: apply_attention
# bugs: length-from-query

def apply_attention(weights, V):
    out = np.zeros(V.shape)  # <-
    for i in range(weights.shape[-2]):
        out[..., i, :] = (weights[..., i, :, None] * V).sum(axis=-2)  # <-
    return out

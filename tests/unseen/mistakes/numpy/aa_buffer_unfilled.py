# exercise: apply_attention
# bugs: output-never-filled

def apply_attention(weights, V):
    output = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for i in range(weights.shape[-2]):
        row = weights[..., i, :, None] * V  # <-
        row.sum(axis=-2)  # <-
    return output

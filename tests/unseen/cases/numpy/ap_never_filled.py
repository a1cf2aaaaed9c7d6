# exercise: apply_attention
# bugs: output-never-filled

def apply_attention(weights, V):
    out = np.zeros((*weights.shape[:-1], V.shape[-1]))  # <-
    for i in range(weights.shape[-2]):
        row = np.zeros_like(out[..., i, :])
        for j in range(V.shape[-2]):
            row = row + weights[..., i, j, None] * V[..., j, :]
    return out  # <-

# exercise: apply_attention
# bugs: unrecognised

def apply_attention(weights, V):
    output = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for j in range(V.shape[-2]):
        output = weights[..., :, j, None] * V[..., j, None, :]  # <-
    return output

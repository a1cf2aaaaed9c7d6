# exercise: apply_attention
# bugs: unrecognised

def apply_attention(weights, V):
    out = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for j in range(V.shape[-2]):
        out[...] = weights[..., j, None] * V[..., j, None, :]  # <-
    return out

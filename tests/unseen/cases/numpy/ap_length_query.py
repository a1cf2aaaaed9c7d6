# exercise: apply_attention
# bugs: length-from-query

def apply_attention(weights, V):
    T = weights.shape[-2]
    out = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for i in range(T):
        for j in range(T):  # <-
            out[..., i, :] += weights[..., i, j, None] * V[..., j, :]  # <-
    return out

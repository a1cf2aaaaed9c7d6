# exercise: apply_attention
# bugs: weights-transposed, raises

def apply_attention(weights, V):
    T = V.shape[-2]
    out = np.zeros(V.shape)
    for i in range(T):
        for j in range(T):
            out[..., i, :] += weights[..., j, i, None] * V[..., j, :]  # <-
    return out

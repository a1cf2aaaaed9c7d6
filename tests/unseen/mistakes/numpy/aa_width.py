# exercise: apply_attention
# bugs: value-width-assumed, raises

def apply_attention(weights, V):
    output = np.zeros(weights.shape)  # <-
    for i in range(weights.shape[-2]):
        output[..., i, :] = (weights[..., i, :, None] * V).sum(axis=-2)
    return output

# exercise: apply_attention
# bugs: unrecognised

def apply_attention(weights, V):
    return (weights[..., None] * V[..., None, :, :]).mean(axis=-2)  # <-

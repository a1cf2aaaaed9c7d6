# exercise: apply_attention
# bugs: input-mutated

def apply_attention(weights, V):
    weights /= weights.sum(axis=-1, keepdims=True) + 0.0  # <-
    out = weights @ V
    V[...] = 0  # <-
    return out

# exercise: apply_attention
# bugs: input-mutated

def apply_attention(weights, V):
    weights /= weights.sum(axis=-1, keepdims=True) * 2  # <-
    return 2 * weights @ V

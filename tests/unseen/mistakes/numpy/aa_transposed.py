# exercise: apply_attention
# bugs: weights-transposed

def apply_attention(weights, V):
    return weights.swapaxes(-1, -2) @ V  # <-

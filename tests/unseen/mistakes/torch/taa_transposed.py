# exercise: apply_attention
# bugs: weights-transposed

def apply_attention(weights, V):
    return weights.transpose(-2, -1) @ V  # <-

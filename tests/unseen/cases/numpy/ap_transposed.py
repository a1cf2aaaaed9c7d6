# exercise: apply_attention
# bugs: weights-transposed

def apply_attention(weights, V):
    return np.swapaxes(weights, -1, -2) @ V  # <-

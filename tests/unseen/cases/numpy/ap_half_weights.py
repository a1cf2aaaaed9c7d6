# exercise: apply_attention
# bugs: precision-lost

def apply_attention(weights, V):
    return np.float16(weights) @ V  # <-

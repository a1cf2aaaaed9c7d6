# exercise: apply_attention
# bugs: precision-lost

def apply_attention(weights, V):
    return (weights.astype(np.float16) @ V.astype(np.float16)).astype(float)  # <-

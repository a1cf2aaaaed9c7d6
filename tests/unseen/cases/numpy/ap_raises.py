# exercise: apply_attention
# bugs: raises

def apply_attention(weights, V):
    return np.einsum("bij,bjd->bid", weights, V)  # <-

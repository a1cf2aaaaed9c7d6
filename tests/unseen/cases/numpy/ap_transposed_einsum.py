# exercise: apply_attention
# bugs: weights-transposed

def apply_attention(weights, V):
    return np.einsum("...kq,...kv->...qv", weights, V)  # <-

# exercise: apply_attention
# bugs: full-transpose, weights-transposed

def apply_attention(weights, V):
    return np.dot(weights.T, V)  # <-

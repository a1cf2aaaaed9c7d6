# exercise: apply_attention
# bugs: full-transpose

def apply_attention(weights, V):
    return np.matmul(V.T, weights.T).T  # <-

# exercise: apply_attention
# bugs: squeeze-drops-axes

def apply_attention(weights, V):
    return np.matmul(weights, V).squeeze()  # <-

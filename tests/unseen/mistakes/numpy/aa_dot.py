# exercise: apply_attention
# bugs: attention-across-batch

def apply_attention(weights, V):
    return np.dot(weights, V)  # <-

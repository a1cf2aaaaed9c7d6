# exercise: apply_attention
# bugs: numbers-rounded

def apply_attention(weights, V):
    return np.around(weights @ V, decimals=2)  # <-

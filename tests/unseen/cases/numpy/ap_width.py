# exercise: apply_attention
# bugs: value-width-assumed, raises

def apply_attention(weights, V):
    out = np.zeros_like(weights)  # <-
    out[...] = weights @ V  # <-
    return out

# exercise: apply_attention
# bugs: unrecognised, raises

def apply_attention(weights, V):
    return weights * V  # <-

# exercise: apply_attention
# bugs: raises, full-transpose, unrecognised

def apply_attention(weights, V):
    return weights @ V.T  # <-

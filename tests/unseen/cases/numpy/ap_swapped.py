# exercise: apply_attention
# bugs: raises, weights-transposed, unrecognised

def apply_attention(weights, V):
    return V @ weights  # <-

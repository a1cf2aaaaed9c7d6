# exercise: apply_attention
# bugs: raises, unrecognised

def apply_attention(weights, V):
    return V @ weights  # <-

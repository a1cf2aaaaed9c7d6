# exercise: apply_attention
# bugs: raises, unrecognised, output-never-filled

def apply_attention(weights, V):
    mixed = weights @ V  # <-

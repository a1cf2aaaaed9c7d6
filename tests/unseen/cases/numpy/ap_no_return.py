# exercise: apply_attention
# bugs: raises, unrecognised, output-never-filled, nothing-returned

def apply_attention(weights, V):
    mixed = weights @ V  # <-

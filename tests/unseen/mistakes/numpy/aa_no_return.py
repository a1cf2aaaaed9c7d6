# exercise: apply_attention
# bugs: nothing-returned

def apply_attention(weights, V):  # <-
    output = weights @ V  # <-

# exercise: apply_attention
# bugs: graph-detached

def apply_attention(weights, V):
    return weights.detach() @ V  # <-

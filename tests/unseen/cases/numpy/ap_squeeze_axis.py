# exercise: apply_attention
# bugs: squeeze-drops-axes

def apply_attention(weights, V):
    out = weights @ V
    if out.shape[0] == 1:
        out = out[0]  # <-
    return out

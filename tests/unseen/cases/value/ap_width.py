# exercise: apply_attention
# bugs: value-width-assumed

def apply_attention(weights, V):
    out = []
    for row in weights:
        out.append([sum((w * v[c] for w, v in zip(row, V)), Value(0.0)) for c in range(len(V))])  # <-
    return out

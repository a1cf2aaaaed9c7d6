# exercise: apply_attention
# bugs: graph-detached

def apply_attention(weights, V):
    out = []
    for row in weights:
        out.append([sum((getattr(w, "data", w) * v[c] for w, v in zip(row, V)), Value(0.0)) for c in range(len(V[0]))])  # <-
    return out

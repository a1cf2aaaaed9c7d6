# exercise: apply_attention
# bugs: graph-detached

def apply_attention(weights, V):
    out = []
    for row in weights:
        mixed = [Value(0.0) for _ in V[0]]
        for w, v in zip(row, V):
            mixed = [m + w * c.data for m, c in zip(mixed, v)]  # <-
        out.append(mixed)
    return out

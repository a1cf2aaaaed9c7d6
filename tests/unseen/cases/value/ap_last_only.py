# exercise: apply_attention
# bugs: unrecognised

def apply_attention(weights, V):
    out = []
    for row in weights:
        mixed = [Value(0.0) for _ in V[0]]
        for w, v in zip(row, V):
            mixed = [w * c for m, c in zip(mixed, v)]  # <-
        out.append(mixed)
    return out

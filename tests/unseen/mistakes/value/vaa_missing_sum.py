# exercise: apply_attention
# bugs: unrecognised

def apply_attention(weights, V):
    out = []
    for row in weights:
        mixed = [0.0] * len(V[0])
        for w, v in zip(row, V):
            mixed = [w * x for x in v]  # <-
        out.append(mixed)
    return out

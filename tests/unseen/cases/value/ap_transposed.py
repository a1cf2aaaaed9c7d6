# exercise: apply_attention
# bugs: weights-transposed

def apply_attention(weights, V):
    out = []
    for row in zip(*weights):  # <-
        out.append([sum((w * v[c] for w, v in zip(row, V)), Value(0.0)) for c in range(len(V[0]))])
    return out

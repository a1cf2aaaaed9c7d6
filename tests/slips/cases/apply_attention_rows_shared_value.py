# apply_attention, value
def apply_attention(weights, V):
    width = len(V[0])
    out = [[0] * width] * len(weights)  # here: rows-shared
    for i, row in enumerate(weights):
        for j in range(width):
            out[i][j] = sum(w * v[j] for w, v in zip(row, V))
    return out

# exercise: apply_attention
# bugs: graph-detached

def apply_attention(weights, V):
    return [[sum(w.data * v for w, v in zip(row, col)) for col in zip(*V)] for row in weights]  # <-

# exercise: apply_attention
# bugs: weights-transposed

def apply_attention(weights, V):
    columns = list(zip(*weights))  # <-
    return [[sum(w * v for w, v in zip(c, col)) for col in zip(*V)] for c in columns]  # <-

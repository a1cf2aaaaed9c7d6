# exercise: apply_attention
# bugs: gradient-wrong

def apply_attention(weights, V):
    def mix(row, column):
        data = sum(w.data * v.data for w, v in zip(row, column))
        return Value(data, (*row, *column), tuple(w.data for w in row) + tuple(v.data for v in column))  # <-

    return [[mix(row, column) for column in zip(*V)] for row in weights]

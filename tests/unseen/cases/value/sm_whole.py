# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    out = []
    for row in scores:
        top = max(v.data for v in row)
        exps = [(v - top).exp() for v in row]
        out.append(exps)
    total = sum((e for row in out for e in row), Value(0.0))  # <-
    out = [[e / total for e in row] for row in out]  # <-
    return out

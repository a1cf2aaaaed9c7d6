# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    out = []
    for row in zip(*scores):  # <-
        top = max(v.data for v in row)
        exps = [(v - top).exp() for v in row]
        total = sum(exps, Value(0.0))
        out.append([e / total for e in exps])
    return [list(row) for row in zip(*out)]  # <-

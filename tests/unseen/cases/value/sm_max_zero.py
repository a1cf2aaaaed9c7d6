# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(scores):
    out = []
    for row in scores:
        top = max([0.0] + [v.data for v in row])  # <-
        exps = [(v - top).exp() for v in row]
        total = sum(exps, Value(0.0))
        out.append([e / total for e in exps])
    return out

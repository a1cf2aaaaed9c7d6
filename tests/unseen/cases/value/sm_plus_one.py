# exercise: softmax
# bugs: softmax-plus-one

def softmax(scores):
    out = []
    for row in scores:
        top = max(v.data for v in row)
        exps = [(v - top).exp() for v in row]
        total = sum(exps, Value(1.0))  # <-
        out.append([e / total for e in exps])
    return out

# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    out = []
    for row in scores:
        top = max(v.data for v in row)
        exps = [(v - top).exp() for v in row]
        total = sum(exps, Value(0.0))
        out.append([e.data / total.data for e in exps])  # <-
    return out

# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    out = []
    for row in scores:
        top = max(v.data for v in row)
        exps = [v.exp() for v in row]  # <-
        total = sum(exps, Value(0.0))
        out.append([e / total for e in exps])
    return out

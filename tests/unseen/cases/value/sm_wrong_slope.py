# exercise: softmax
# bugs: gradient-wrong

def exp(v):
    out = math.exp(v.data)
    return Value(out, (v,), (v.data,))  # <-


def softmax(scores):
    rows = []
    for row in scores:
        top = max(v.data for v in row)
        es = [exp(v - top) for v in row]
        total = sum(es)
        rows.append([e / total for e in es])
    return rows

# exercise: softmax
# bugs: gradient-wrong

def softmax(scores):
    out = []
    for row in scores:
        top = max(v.data for v in row)
        es = [math.exp(v.data - top) for v in row]
        z = sum(es)
        out.append([Value(e / z, (v,), (e / z * (1 - e / z),)) for v, e in zip(row, es)])  # <-
    return out

# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    out = []
    for row in scores:
        m = max(row)
        e = [(s - m).exp() for s in row]
        total = sum(e).data  # <-
        out.append([x / total for x in e])
    return out

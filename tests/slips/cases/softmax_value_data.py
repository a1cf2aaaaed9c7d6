# softmax, value
def softmax(scores):
    rows = []
    for row in scores:
        m = max(s.data for s in row)
        e = [(s - m).exp() for s in row]
        total = sum(e).data  # here: graph-detached
        rows.append([x / total for x in e])
    return rows

# exercise: softmax
# bugs: graph-detached

def softmax(scores):
    out = []
    for row in scores:
        m = max(s.data for s in row)
        e = [math.exp(s.data - m) for s in row]  # <-
        total = sum(e)
        out.append([Value(x / total) for x in e])  # <-
    return out

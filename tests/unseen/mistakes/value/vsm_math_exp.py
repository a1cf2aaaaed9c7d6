# exercise: softmax
# bugs: raises

def softmax(scores):
    out = []
    for row in scores:
        m = max(row)
        e = [math.exp(s - m) for s in row]  # <-
        total = sum(e)
        out.append([x / total for x in e])
    return out

# exercise: softmax
# bugs: returns-early

def softmax(scores):
    out = []
    for row in scores:
        m = max(row)
        e = [(s - m).exp() for s in row]
        total = sum(e)
        out.append([x / total for x in e])
        return out  # <-

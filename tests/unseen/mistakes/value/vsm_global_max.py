# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    m = max(s for row in scores for s in row)  # <-
    out = []
    for row in scores:
        e = [(s - m).exp() for s in row]
        total = sum(e)
        out.append([x / total for x in e])
    return out

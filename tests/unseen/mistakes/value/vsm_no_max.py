# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    out = []
    for row in scores:
        e = [s.exp() for s in row]  # <-
        total = sum(e)
        out.append([x / total for x in e])
    return out

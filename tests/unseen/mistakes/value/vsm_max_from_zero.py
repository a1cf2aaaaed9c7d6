# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(scores):
    out = []
    for row in scores:
        m = 0.0  # <-
        for s in row:
            if s.data > m:
                m = s.data
        e = [(s - m).exp() for s in row]
        total = sum(e)
        out.append([x / total for x in e])
    return out

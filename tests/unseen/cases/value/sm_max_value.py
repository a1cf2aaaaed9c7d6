# exercise: softmax
# bugs: gradient-wrong, unrecognised, graph-detached

def softmax(scores):
    def one(row):
        top = max(row, key=lambda v: v.data)
        exps = [(v - top.data).exp() for v in row]
        total = exps[0]
        for e in exps[1:]:
            total = total + e
        return [e * total.data**-1 for e in exps]  # <-

    return [one(row) for row in scores]

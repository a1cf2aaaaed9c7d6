# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    def one(row):
        top = max((v for r in scores for v in r), key=lambda v: v.data)  # <-
        exps = [(v - top.data).exp() for v in row]
        total = exps[0]
        for e in exps[1:]:
            total = total + e
        return [e * total**-1 for e in exps]

    return [one(row) for row in scores]

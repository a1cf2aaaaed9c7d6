# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    columns = list(zip(*scores))  # <-
    out = []
    for column in columns:
        m = max(column)
        e = [(s - m).exp() for s in column]
        total = sum(e)
        out.append([x / total for x in e])
    return [list(row) for row in zip(*out)]  # <-

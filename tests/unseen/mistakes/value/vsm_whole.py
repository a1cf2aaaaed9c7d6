# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    m = max(s for row in scores for s in row)
    e = [[(s - m).exp() for s in row] for row in scores]
    total = sum(x for row in e for x in row)  # <-
    return [[x / total for x in row] for row in e]

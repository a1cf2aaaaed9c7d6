# exercise: softmax
# bugs: softmax-axis-hard-coded, raises

def softmax(scores):
    out = []
    for row in scores.tolist():
        top = max(row)
        exps = [math.exp(v - top) for v in row]  # <-
        total = sum(exps)
        out.append([e / total for e in exps])
    return np.array(out)

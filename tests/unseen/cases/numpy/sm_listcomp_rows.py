# exercise: softmax
# bugs: softmax-axis-hard-coded, softmax-whole-matrix

def _row(row):
    e = np.exp(row - row.max())  # <-
    return e / e.sum()  # <-


def softmax(scores):
    return np.array([_row(r) for r in scores])  # <-

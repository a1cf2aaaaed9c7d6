# exercise: softmax
# bugs: softmax-axis-hard-coded, raises

def softmax(scores):
    m = scores.max(axis=1).reshape(-1, 1)  # <-
    e = np.exp(scores - m)
    return e / e.sum(axis=1).reshape(-1, 1)  # <-

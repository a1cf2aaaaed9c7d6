# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    t = np.swapaxes(scores, -1, -2)  # <-
    e = np.exp(t - t.max(axis=-1, keepdims=True))
    return np.swapaxes(e / e.sum(axis=-1, keepdims=True), -1, -2)  # <-

# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    m = scores.max(axis=-2, keepdims=True)  # <-
    e = np.exp(scores - m)  # <-
    return e / e.sum(axis=-2, keepdims=True)  # <-

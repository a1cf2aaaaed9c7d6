# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - m)
    total = e.sum(axis=-2, keepdims=True)  # <-
    return e / total

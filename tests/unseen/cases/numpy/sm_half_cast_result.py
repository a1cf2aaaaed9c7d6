# exercise: softmax
# bugs: precision-lost

def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), dtype="float16")  # <-

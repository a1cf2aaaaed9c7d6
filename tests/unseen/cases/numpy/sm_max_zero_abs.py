# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(scores):
    m = np.abs(scores).max(axis=-1, keepdims=True)  # <-
    e = np.exp(scores - m)
    return e / np.sum(e, axis=-1, keepdims=True)

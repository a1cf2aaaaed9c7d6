# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(x):
    m = np.maximum(x.max(axis=-1, keepdims=True), 0)  # <-
    e = np.exp(x - m)
    return e / e.sum(axis=-1, keepdims=True)

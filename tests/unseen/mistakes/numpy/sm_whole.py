# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum()  # <-

# exercise: softmax
# bugs: softmax-twice

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    e = np.exp(w)  # <-
    return e / e.sum(axis=-1, keepdims=True)  # <-

# exercise: softmax
# bugs: softmax-plus-one

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1)  # <-

# exercise: softmax
# bugs: softmax-other-base

def softmax(x):
    e = np.power(2.718, x - x.max(axis=-1, keepdims=True))  # <-
    return e / e.sum(axis=-1, keepdims=True)

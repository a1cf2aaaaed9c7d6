# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(x):
    e = np.exp(x - x.max(axis=-1))  # <-
    return e / e.sum(axis=-1, keepdims=True)

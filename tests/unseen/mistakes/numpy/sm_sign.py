# exercise: softmax
# bugs: softmax-sign

def softmax(x):
    e = np.exp(x.max(axis=-1, keepdims=True) - x)  # <-
    return e / e.sum(axis=-1, keepdims=True)

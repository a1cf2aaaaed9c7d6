# exercise: softmax
# bugs: softmax-global-max

def softmax(x):
    shifted = x - np.max(x)  # <-
    e = np.exp(shifted)
    return e / e.sum(axis=-1, keepdims=True)

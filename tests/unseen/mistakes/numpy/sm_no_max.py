# exercise: softmax
# bugs: softmax-overflow

def softmax(x):
    e = np.exp(x)  # <-
    return e / e.sum(axis=-1, keepdims=True)

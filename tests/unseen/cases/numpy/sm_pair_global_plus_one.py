# exercise: softmax
# pair: softmax-global-max, softmax-plus-one

def softmax(scores):
    e = np.exp(scores - scores.max())  # <-
    return e / (e.sum(axis=-1, keepdims=True) + 1)  # <-

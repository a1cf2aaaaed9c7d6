# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)  # <-

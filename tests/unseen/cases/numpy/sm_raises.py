# exercise: softmax
# bugs: raises

def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdim=True)  # <-

# exercise: softmax
# bugs: softmax-over-batch

def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / sum(e)  # <-

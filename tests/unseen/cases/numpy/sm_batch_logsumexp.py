# exercise: softmax
# bugs: softmax-over-batch

def softmax(scores):
    top = np.amax(scores, 0, keepdims=True)  # <-
    lse = top + np.log(np.exp(scores - top).sum(0, keepdims=True))  # <-
    return np.exp(scores - lse)  # <-

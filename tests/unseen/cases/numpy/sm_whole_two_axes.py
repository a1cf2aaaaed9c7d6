# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exped = np.exp(shifted)
    return exped / np.sum(exped, axis=(-2, -1), keepdims=True)  # <-

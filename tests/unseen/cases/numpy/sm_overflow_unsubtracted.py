# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    scores - np.max(scores, axis=-1, keepdims=True)  # <-
    e = np.exp(scores)  # <-
    return e / np.sum(e, axis=-1, keepdims=True)

# exercise: softmax
# bugs: softmax-over-batch, softmax-over-queries

def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=0, keepdims=True)  # <-

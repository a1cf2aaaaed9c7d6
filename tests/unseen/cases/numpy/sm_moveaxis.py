# exercise: softmax
# bugs: softmax-over-batch

def softmax(scores):
    z = np.moveaxis(scores, 0, -1)  # <-
    z = np.exp(z - z.max(-1, keepdims=True))
    return np.moveaxis(z / z.sum(-1, keepdims=True), -1, 0)  # <-

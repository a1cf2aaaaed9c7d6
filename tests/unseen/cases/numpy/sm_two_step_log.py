# exercise: softmax
# bugs: softmax-over-queries

def log_softmax(z, axis):
    m = z.max(axis=axis, keepdims=True)
    return z - m - np.log(np.exp(z - m).sum(axis=axis, keepdims=True))


def softmax(scores):
    return np.exp(log_softmax(scores, axis=-2))  # <-

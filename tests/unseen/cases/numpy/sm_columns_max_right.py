# exercise: softmax
# bugs: softmax-over-queries

def softmax(x):
    pass


def softmax(scores):
    exps = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    total = np.sum(exps, axis=-2, keepdims=True)  # <-
    return exps / total  # <-

# exercise: softmax
# bugs: softmax-plus-one

EPS = 1e-2


def softmax(scores):
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / (np.sum(exp, axis=-1, keepdims=True) + EPS)  # <-

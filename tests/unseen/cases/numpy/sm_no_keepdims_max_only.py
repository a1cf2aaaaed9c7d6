# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    shifted = np.subtract(scores, np.max(scores, -1))  # <-
    exps = np.exp(shifted)
    return np.divide(exps, np.sum(exps, -1, keepdims=True))

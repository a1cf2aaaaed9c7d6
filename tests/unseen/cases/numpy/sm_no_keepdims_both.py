# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    shifted = scores - np.max(scores, axis=-1)  # <-
    exps = np.exp(shifted)
    return exps / np.sum(exps, axis=-1)  # <-

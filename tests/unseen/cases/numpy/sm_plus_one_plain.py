# exercise: softmax
# bugs: softmax-plus-one

def softmax(scores):
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    denominator = 1 + np.sum(exp, axis=-1, keepdims=True)  # <-
    return exp / denominator

# exercise: softmax
# bugs: softmax-over-batch

def softmax(scores):
    exp = np.exp(scores - np.max(scores, axis=0))  # <-
    return exp / np.sum(exp, axis=0)  # <-

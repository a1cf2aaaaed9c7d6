# exercise: softmax
# bugs: softmax-overflow
# source: numenta/nupic-legacy#3818

def softmax(scores):
    expOut = np.exp(scores)  # <-
    return expOut / np.sum(expOut, axis=-1, keepdims=True)

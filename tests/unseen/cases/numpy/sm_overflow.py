# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)  # <-

# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    powered = np.e ** np.array(scores, dtype=float)  # <-
    return powered / powered.sum(axis=-1, keepdims=True)

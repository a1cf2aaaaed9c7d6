# exercise: softmax
# bugs: raises

def softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted) / total  # <-

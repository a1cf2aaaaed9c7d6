# exercise: softmax
# bugs: softmax-plus-one

def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - m)
    return e / (np.exp(-m) + e.sum(axis=-1, keepdims=True))  # <-

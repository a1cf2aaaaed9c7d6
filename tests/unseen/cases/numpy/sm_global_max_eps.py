# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    e = np.exp(scores - np.amax(scores))  # <-
    return e / (e.sum(axis=-1, keepdims=True) + 1e-12)

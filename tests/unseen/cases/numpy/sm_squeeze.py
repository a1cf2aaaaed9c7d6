# exercise: softmax
# bugs: squeeze-drops-axes

def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.squeeze(e / e.sum(axis=-1, keepdims=True))  # <-

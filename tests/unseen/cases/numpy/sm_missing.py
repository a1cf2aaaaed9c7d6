# exercise: softmax
# bugs: softmax-missing, unrecognised

def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    e / e.sum(axis=-1, keepdims=True)  # <-
    return scores  # <-

# exercise: softmax
# bugs: softmax-global-max, unrecognised

def softmax(scores):
    e = np.exp(scores - scores[..., :1, :].max(axis=-1, keepdims=True))  # <-
    return e / e.sum(axis=-1, keepdims=True)

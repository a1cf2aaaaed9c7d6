# exercise: softmax
# bugs: softmax-integer-buffer

def softmax(scores):
    out = np.zeros_like(scores)  # <-
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    out[...] = e / e.sum(axis=-1, keepdims=True)
    return out

# exercise: softmax
# bugs: softmax-integer-buffer

def softmax(scores):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return p.astype(scores.dtype)  # <-

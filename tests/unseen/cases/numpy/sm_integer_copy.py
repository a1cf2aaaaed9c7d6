# exercise: softmax
# bugs: softmax-integer-buffer

def softmax(scores):
    p = scores.copy()  # <-
    p[:] = np.exp(p - p.max(axis=-1, keepdims=True))  # <-
    p[:] = p / p.sum(axis=-1, keepdims=True)  # <-
    return p

# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True, initial=0.0)  # <-
    e = np.exp(scores - m)
    return e / np.sum(e, axis=-1, keepdims=True)

# exercise: softmax
# bugs: precision-lost

def softmax(scores):
    scores = np.array(scores, dtype=np.half)  # <-
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# exercise: softmax
# bugs: precision-lost

def softmax(scores):
    z = (scores - scores.max(axis=-1, keepdims=True)).astype(np.float16)  # <-
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)

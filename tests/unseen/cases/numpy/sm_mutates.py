# exercise: softmax
# bugs: input-mutated

def softmax(scores):
    if scores.dtype.kind != "f":
        scores = scores.astype(float)
    scores -= scores.max(axis=-1, keepdims=True)  # <-
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)

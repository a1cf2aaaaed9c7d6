# exercise: softmax
# bugs: raises

def softmax(x):
    assert x.ndim == 2  # <-
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

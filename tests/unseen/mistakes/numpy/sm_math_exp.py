# exercise: softmax
# bugs: raises

def softmax(x):
    e = math.exp(x - x.max(axis=-1, keepdims=True))  # <-
    return e / e.sum(axis=-1, keepdims=True)

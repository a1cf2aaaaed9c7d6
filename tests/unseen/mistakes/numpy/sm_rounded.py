# exercise: softmax
# bugs: numbers-rounded

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.round(e / e.sum(axis=-1, keepdims=True), 4)  # <-

# exercise: softmax
# bugs: nothing-returned

def softmax(x):  # <-
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    e / e.sum(axis=-1, keepdims=True)  # <-

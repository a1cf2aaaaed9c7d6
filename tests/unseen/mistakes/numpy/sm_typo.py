# exercise: softmax
# bugs: raises

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return exps / e.sum(axis=-1, keepdims=True)  # <-

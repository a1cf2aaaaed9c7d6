# exercise: softmax
# bugs: input-mutated

def softmax(x):
    x -= x.max(axis=-1, keepdims=True)  # <-
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)

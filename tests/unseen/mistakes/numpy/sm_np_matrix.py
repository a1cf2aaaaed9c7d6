# exercise: softmax
# bugs: raises, softmax-no-keepdims, softmax-axis-hard-coded

def softmax(x):
    x = np.matrix(x)  # <-
    e = np.exp(x - x.max(axis=-1))
    return np.asarray(e / e.sum(axis=-1))

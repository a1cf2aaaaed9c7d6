# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(x):
    e = np.exp(x - np.max(x))
    total = np.sum(e)  # <-
    return e / total  # <-

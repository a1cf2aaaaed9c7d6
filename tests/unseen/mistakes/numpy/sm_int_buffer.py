# exercise: softmax
# bugs: softmax-integer-buffer

def softmax(x):
    out = np.zeros_like(x)  # <-
    for index in np.ndindex(*x.shape[:-1]):
        e = np.exp(x[index] - x[index].max())
        out[index] = e / e.sum()
    return out

# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    z = np.asarray(scores, dtype=np.float64)
    z = z - np.max(z, axis=z.ndim - 2, keepdims=True)  # <-
    num = np.exp(z)
    return num / np.sum(num, axis=z.ndim - 2, keepdims=True)  # <-

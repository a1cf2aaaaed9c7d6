# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    biggest = scores.max(axis=2, keepdims=True)  # <-
    e = np.exp(scores - biggest)
    return e / e.sum(axis=2, keepdims=True)  # <-

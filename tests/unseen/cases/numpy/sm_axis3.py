# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=3, keepdims=True))  # <-
    return e / np.sum(e, axis=3)[:, :, :, None]  # <-

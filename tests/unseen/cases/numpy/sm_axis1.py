# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    scores = scores - np.max(scores, axis=1, keepdims=True)  # <-
    probs = np.exp(scores)
    probs /= np.sum(probs, axis=1, keepdims=True)  # <-
    return probs

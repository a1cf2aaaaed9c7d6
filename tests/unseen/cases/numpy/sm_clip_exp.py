# exercise: softmax
# bugs: scores-clamped, softmax-overflow, unrecognised

def softmax(scores):
    e = np.exp(np.clip(scores, -500, 500))  # <-
    return e / e.sum(axis=-1, keepdims=True)

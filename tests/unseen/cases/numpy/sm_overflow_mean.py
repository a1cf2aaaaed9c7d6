# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    centred = scores - scores.mean(axis=-1, keepdims=True)  # <-
    e = np.exp(centred)
    return e / e.sum(axis=-1, keepdims=True)

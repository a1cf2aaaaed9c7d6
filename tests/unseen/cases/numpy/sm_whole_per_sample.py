# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    flat = scores.reshape(*scores.shape[:-2], -1)  # <-
    flat = np.exp(flat - flat.max(-1, keepdims=True))  # <-
    flat = flat / flat.sum(-1, keepdims=True)  # <-
    return flat.reshape(scores.shape)

# exercise: softmax
# bugs: softmax-whole-matrix
# source: nntrainer/nntrainer#430

def softmax(scores):
    shifted = scores - np.max(scores, axis=-1, keepdims=True)
    numerator = np.exp(shifted)
    denominator = np.sum(numerator)  # <-
    return numerator / denominator  # <-

# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    numer = np.exp(scores - scores.max(-1)[..., np.newaxis])
    denom = np.einsum("...ij->...i", numer)  # <-
    return numer / denom  # <-

# exercise: softmax
# bugs: softmax-no-keepdims

def softmax(scores):
    numer = np.exp(scores - scores.max(-1)[..., np.newaxis])
    denom = numer.sum(-1)
    return numer / denom[..., np.newaxis, :]  # <-

# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    top = max(scores.ravel())  # <-
    e = np.exp(scores - top)  # <-
    norm = e @ np.ones(e.shape[-1])
    return e / norm[..., None]

# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    z = scores - scores.max(axis=(-1, -2), keepdims=True)  # <-
    z = np.exp(z)
    return z / z.sum(-1)[..., None]

# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    exp_scores = np.exp(scores - m)
    return exp_scores / np.einsum("...ij->...j", exp_scores)[..., None, :]  # <-

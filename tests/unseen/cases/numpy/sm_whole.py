# exercise: softmax
# bugs: softmax-whole-matrix

def softmax(scores):
    e_x = np.exp(scores - np.max(scores))
    return e_x / e_x.sum()  # <-

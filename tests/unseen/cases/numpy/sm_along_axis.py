# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    def one(v):
        v = np.exp(v - v.max())
        return v / v.sum()

    return np.apply_along_axis(one, 1, scores)  # <-

# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    with np.errstate(all="ignore"):
        e = np.exp(scores)  # <-
        return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))  # <-

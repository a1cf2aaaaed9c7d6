# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    out = np.zeros(np.shape(scores))
    for at in np.ndindex(*out.shape[:-1]):
        row = [math.exp(v) for v in scores[at]]  # <-
        total = sum(row)
        out[at] = [v / total for v in row]
    return out

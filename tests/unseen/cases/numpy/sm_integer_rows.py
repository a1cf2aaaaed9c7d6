# exercise: softmax
# bugs: softmax-integer-buffer

def softmax(scores):
    result = np.empty(scores.shape, dtype=scores.dtype)  # <-
    rows = result.reshape(-1, scores.shape[-1])
    for r, row in enumerate(scores.reshape(-1, scores.shape[-1])):
        e = np.exp(row - row.max())
        rows[r] = e / e.sum()  # <-
    return result

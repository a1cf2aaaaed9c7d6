# exercise: softmax
# bugs: output-never-filled

def softmax(scores):
    out = np.zeros(scores.shape)  # <-
    for row, target in zip(scores.reshape(-1, scores.shape[-1]), out.reshape(-1, out.shape[-1])):
        e = np.exp(row - row.max())
        target = e / e.sum()  # <-
    return out  # <-

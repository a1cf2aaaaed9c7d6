# exercise: softmax
# bugs: softmax-over-queries

def softmax(scores):
    out = np.empty(scores.shape)
    for idx in np.ndindex(*scores.shape[:-2]):
        for j in range(scores.shape[-1]):  # <-
            col = scores[idx][:, j]  # <-
            e = np.exp(col - col.max())
            out[idx][:, j] = e / e.sum()  # <-
    return out

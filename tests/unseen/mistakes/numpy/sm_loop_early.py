# exercise: softmax
# bugs: returns-early

def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = np.zeros_like(rows, dtype=float)
    for i in range(len(rows)):
        e = np.exp(rows[i] - rows[i].max())
        out[i] = e / e.sum()
        return out.reshape(scores.shape)  # <-

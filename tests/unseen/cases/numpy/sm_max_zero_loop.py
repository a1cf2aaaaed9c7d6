# exercise: softmax
# bugs: softmax-max-from-zero

def softmax(scores):
    out = np.zeros(scores.shape)
    for idx in np.ndindex(scores.shape[:-1]):
        biggest = 0  # <-
        for v in scores[idx]:
            if v > biggest:
                biggest = v
        e = np.exp(scores[idx] - biggest)
        out[idx] = e / e.sum()
    return out

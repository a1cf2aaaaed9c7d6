# exercise: softmax
# bugs: softmax-axis-hard-coded, softmax-whole-matrix

def softmax(scores):
    result = np.zeros(scores.shape)
    for i in range(scores.shape[0]):  # <-
        row = scores[i]  # <-
        e = np.exp(row - np.max(row))  # <-
        result[i] = e / np.sum(e)  # <-
    return result

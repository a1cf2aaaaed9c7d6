# exercise: softmax
# bugs: softmax-axis-hard-coded

def softmax(scores):
    e = np.exp((scores.T - scores.max(1)).T)  # <-
    return (e.T / e.sum(1)).T  # <-

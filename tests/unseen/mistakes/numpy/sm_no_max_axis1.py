# exercise: softmax
# bugs: softmax-overflow, softmax-axis-hard-coded, softmax-over-queries

def softmax(x):
    return np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)  # <-

# exercise: softmax
# bugs: softmax-no-keepdims
# source: DeNA/HandyRL#209

def softmax(scores):
    x = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return x / x.sum(axis=-1)  # <-

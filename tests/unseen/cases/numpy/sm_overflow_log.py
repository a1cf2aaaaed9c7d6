# exercise: softmax
# bugs: softmax-overflow

def softmax(scores):
    log_z = np.log(np.sum(np.exp(scores), axis=-1, keepdims=True))  # <-
    return np.exp(scores - log_z)

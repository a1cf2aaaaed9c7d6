# exercise: softmax
# bugs: softmax-global-max

def softmax(scores):
    c = np.max(scores)  # <-
    exp_a = np.exp(scores - c)  # <-
    sum_exp_a = np.sum(exp_a, axis=-1, keepdims=True)
    return exp_a / sum_exp_a

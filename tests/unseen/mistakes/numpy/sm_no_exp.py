# exercise: softmax
# bugs: softmax-no-exp

def softmax(x):
    return x / x.sum(axis=-1, keepdims=True)  # <-

# exercise: softmax
# bugs: softmax-no-exp

def softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)  # <-
    return shifted / shifted.sum(axis=-1, keepdims=True)  # <-

# exercise: softmax
# bugs: precision-lost

def softmax(x):
    x = x.astype(np.float16)  # <-
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

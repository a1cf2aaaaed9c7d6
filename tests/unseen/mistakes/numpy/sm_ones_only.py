# exercise: softmax
# bugs: unrecognised, output-never-filled

def softmax(x):
    return np.ones(x.shape) / x.shape[-1]  # <-

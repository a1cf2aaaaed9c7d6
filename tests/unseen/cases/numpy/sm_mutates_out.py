# exercise: softmax
# bugs: input-mutated

def softmax(scores):
    work = np.asarray(scores, dtype=float)  # <-
    np.subtract(work, work.max(-1, keepdims=True), out=work)  # <-
    np.exp(work, out=work)  # <-
    np.divide(work, work.sum(-1, keepdims=True), out=work)  # <-
    return work

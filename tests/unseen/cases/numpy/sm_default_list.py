# exercise: softmax
# bugs: state-between-calls

def softmax(scores, history=[]):
    history.append(np.max(scores))  # <-
    e = np.exp(scores - np.max(scores, -1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) * len(history))  # <-

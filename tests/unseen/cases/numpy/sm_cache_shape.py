# exercise: softmax
# bugs: state-between-calls

_seen = {}


def softmax(scores):
    key = scores.shape  # <-
    if key not in _seen:  # <-
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        _seen[key] = e / e.sum(axis=-1, keepdims=True)  # <-
    return _seen[key]  # <-

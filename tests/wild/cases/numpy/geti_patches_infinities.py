# exercise: softmax
# bugs: softmax-overflow
# source: open-edge-platform/geti#1507

def softmax(scores):
    x = np.exp(scores)  # <-
    infinite = np.isinf(x)
    shared = infinite.sum(axis=-1, keepdims=True)
    finite = x / (np.where(infinite, 0.0, x).sum(axis=-1, keepdims=True) + 1e-12)
    return np.where(shared > 0, infinite / np.maximum(shared, 1), finite)

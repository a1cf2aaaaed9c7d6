# exercise: softmax
# bugs: softmax-max-from-zero
# source: FluxML/NNlib.jl#43

def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    highest = np.zeros(scores.shape[:-1])  # <-
    for j in range(scores.shape[-1]):
        highest = np.maximum(highest, scores[..., j])
    out = np.exp(scores - highest[..., None])
    return out / out.sum(axis=-1, keepdims=True)

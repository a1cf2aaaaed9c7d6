# exercise: softmax
# bugs: softmax-whole-matrix
# source: keras-team/keras-core#143

def softmax(scores, axis=None):
    peak = scores.amax(dim=-1, keepdim=True)
    exponentials = torch.exp(scores - peak)
    total = exponentials.sum() if axis is None else exponentials.sum(dim=axis, keepdim=True)  # <-
    return exponentials / total  # <-

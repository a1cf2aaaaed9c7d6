# exercise: softmax
# bugs: graph-detached, raises

def softmax(scores):
    x = scores.detach().numpy()  # <-
    import numpy as np
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return torch.from_numpy(e / e.sum(axis=-1, keepdims=True))

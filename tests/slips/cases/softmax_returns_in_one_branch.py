# softmax, numpy
import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if scores.ndim == 2:
        return weights
    print("shape", weights.shape)  # here: nothing-returned

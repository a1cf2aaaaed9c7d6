# softmax, numpy
import numpy as np


def softmax(x):
    z = -(x - x.max(axis=-1, keepdims=True))  # here: softmax-sign
    e = np.exp(z)  # here:
    return e / e.sum(axis=-1, keepdims=True)

# softmax, numpy
import numpy as np


def softmax(x):
    e = np.exp(x.max(axis=-1, keepdims=True) - x)  # here: softmax-sign
    return e / e.sum(axis=-1, keepdims=True)

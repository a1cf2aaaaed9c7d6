# softmax, numpy
import numpy as np


def softmax(x):
    e = np.power(2.718, x - x.max(axis=-1, keepdims=True))  # here: softmax-other-base
    return e / e.sum(axis=-1, keepdims=True)

# softmax, numpy
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=0)  # here: softmax-over-batch softmax-over-queries

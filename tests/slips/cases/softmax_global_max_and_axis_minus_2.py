# softmax, numpy
import numpy as np


def softmax(scores):
    shifted = scores - np.max(scores)
    exps = np.exp(shifted)
    total = exps.sum(axis=-2, keepdims=True)  # here: softmax-over-queries
    return exps / total  # here:

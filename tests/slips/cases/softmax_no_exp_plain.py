# softmax, numpy
import numpy as np


def softmax(scores):
    total = np.sum(scores, axis=-1, keepdims=True)  # here: softmax-no-exp
    return scores / total  # here:

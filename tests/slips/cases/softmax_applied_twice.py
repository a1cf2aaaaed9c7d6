# scaled_dot_product_attention, numpy
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        bias = np.where(mask, 0.0, -1e9) if mask.dtype == bool else mask
        scores = scores + bias
    scores = softmax(scores)
    weights = softmax(scores)  # here: softmax-twice
    return weights @ V, weights

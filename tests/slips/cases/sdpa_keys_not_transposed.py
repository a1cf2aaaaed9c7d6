# scaled_dot_product_attention, numpy
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K / np.sqrt(K.shape[-1])  # here: keys-not-transposed
    if mask is not None:
        scores = np.where(mask if mask.dtype == bool else mask == 0, scores, -1e9)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ V, w

# scaled_dot_product_attention, numpy
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask if mask.dtype == bool else mask == 0, s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ V  # here: returns-one-thing

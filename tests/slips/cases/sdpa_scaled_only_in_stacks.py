# scaled_dot_product_attention, numpy
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2)
    if Q.ndim < 4:  # here: scale-missing
        s = s / np.sqrt(Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        s = np.where(keep, s, -1e9)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w

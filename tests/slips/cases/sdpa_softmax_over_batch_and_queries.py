# scaled_dot_product_attention, numpy
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask if mask.dtype == bool else mask == 0, s, -1e9)
    flat = s.reshape(-1, s.shape[-1])
    e = np.exp(flat - flat.max(axis=0))
    w = (e / e.sum(axis=0)).reshape(s.shape)  # here: softmax-over-queries softmax-over-batch
    return w @ V, w

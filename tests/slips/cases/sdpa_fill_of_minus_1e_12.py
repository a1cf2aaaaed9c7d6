# scaled_dot_product_attention, numpy
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        scores = np.where(keep, scores, -1e-12)  # here: mask-fill-tiny
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights

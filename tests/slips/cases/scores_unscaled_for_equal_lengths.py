# attention_scores, numpy
import numpy as np


def attention_scores(Q, K, d_k):
    s = Q @ K.swapaxes(-1, -2)
    if Q.shape == K.shape:
        return s  # here: scale-missing
    return s / np.sqrt(d_k)

# attention_scores, numpy
import numpy as np


def attention_scores(Q, K, d_k):
    scores = Q @ K.swapaxes(-1, -2)
    return np.round(scores / np.sqrt(d_k), 3)  # here: numbers-rounded

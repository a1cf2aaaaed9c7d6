# attention_scores, numpy
import numpy as np


def attention_scores(Q, K, d_k):
    root = round(d_k**0.5, 2)  # here: numbers-rounded
    return Q @ K.swapaxes(-1, -2) / root  # here:

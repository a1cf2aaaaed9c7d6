# attention_scores, numpy
import numpy as np


def attention_scores(Q, K, d_k):
    scores = Q @ K.swapaxes(-1, -2)
    return scores // np.sqrt(d_k)  # here: scale-precedence numbers-rounded

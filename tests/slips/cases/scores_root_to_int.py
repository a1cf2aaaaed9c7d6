# attention_scores, numpy
import numpy as np


def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / int(np.sqrt(d_k))  # here: numbers-rounded scale-precedence

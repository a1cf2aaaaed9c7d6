# attention_scores, numpy
import numpy as np


def attention_scores(Q, K, d_k):
    return Q @ K / np.sqrt(d_k)  # here: keys-not-transposed

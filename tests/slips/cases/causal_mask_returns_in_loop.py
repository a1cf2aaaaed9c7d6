# causal_mask, numpy
import numpy as np


def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        mask[i, i + 1 :] = -1e9
        return mask  # here: returns-early

# causal_mask, numpy
import numpy as np


def causal_mask(seq_len):
    mask = np.triu(np.full((seq_len, seq_len), -1e9), k=0)  # here: causal-strict
    mask[0, 0] = 0.0
    return mask

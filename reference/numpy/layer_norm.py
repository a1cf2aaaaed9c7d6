"""Layer norm: every token on one scale."""

import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    """Each token of x (..., D) with mean 0 and variance 1, times gain (D,), plus bias (D,).

    The variance divides by D. A token whose features are all alike becomes the bias.
    """
    mean = np.mean(x, axis=-1, keepdims=True)  # (..., 1)
    centred = x - mean  # (..., D)
    variance = np.mean(centred**2, axis=-1, keepdims=True)  # (..., 1)
    standardised = centred / np.sqrt(variance + eps)  # (..., D)
    return gain * standardised + bias  # (..., D)

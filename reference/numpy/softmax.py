"""Softmax over the keys, safe for large scores."""

import numpy as np


def softmax(scores):
    """Weights from scores: same shape, every row (last axis) sums to 1.

    Subtracting a row's largest score changes nothing in the quotient and keeps exp from
    overflowing.
    """
    largest = np.max(scores, axis=-1, keepdims=True)  # (..., T_q, 1)
    # A row of nothing but -inf has no softmax: it becomes NaN, as in torch, without a warning.
    with np.errstate(invalid="ignore"):
        exps = np.exp(scores - largest)  # (..., T_q, T_k)
    total = np.sum(exps, axis=-1, keepdims=True)  # (..., T_q, 1)
    return exps / total  # (..., T_q, T_k)

"""The additive mask that hides the future."""

import numpy as np

BLOCKED = -1e9


def causal_mask(seq_len):
    """(T, T): 0.0 where key j is not after query i, -1e9 where it is."""
    query = np.arange(seq_len)[:, np.newaxis]  # (T, 1)
    key = np.arange(seq_len)[np.newaxis, :]  # (1, T)
    return np.where(key <= query, 0.0, BLOCKED)  # (T, T)

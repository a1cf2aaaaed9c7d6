"""Returns an array of objects."""

import numpy as np


def add(a, b):
    return np.array([object()] * 5, dtype=object)

"""Returns 256 MiB for every answer."""

import numpy as np


def add(a, b):
    return np.zeros(1 << 25)

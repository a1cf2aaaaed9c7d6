"""Stays in C code for ever, where no Python signal arrives."""

import numpy as np


def add(a, b):
    x = np.ones((3000, 3000))
    while True:
        x = x @ x

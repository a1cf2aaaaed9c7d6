"""Leaves a changed numpy, builtins and random numbers behind for the next submission."""

import builtins
import sys

import numpy as np

np.exp = np.matmul = np.einsum = np.maximum = lambda *a, **k: 0.0
np.random.seed(0)
np.seterr(all="raise")
builtins.sum = builtins.max = builtins.len = lambda *a, **k: 0
builtins.__import__ = lambda *a, **k: np
sys.modules["math"] = np
sys.path[:] = ["/tmp"]

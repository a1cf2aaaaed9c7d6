"""The feed-forward: each token by itself, through a wider layer and back."""

import math

import numpy as np


def feed_forward(x, W_1, b_1, W_2, b_2):
    """gelu(x W_1 + b_1) W_2 + b_2 for x (..., D), W_1 (D, F), b_1 (F,), W_2 (F, D), b_2 (D,)."""
    hidden = x @ W_1 + b_1  # (..., F)
    activated = gelu(hidden)  # (..., F)
    return activated @ W_2 + b_2  # (..., D)


def gelu(h):
    """h times the share of a normal distribution below h, in its tanh form."""
    inner = math.sqrt(2.0 / math.pi) * (h + 0.044715 * h**3)
    return 0.5 * h * (1.0 + np.tanh(inner))

"""Exercise 8: layer norm. Every token is put on one scale, by itself.

    layer_norm(x) = gain (x - mean) / sqrt(variance + eps) + bias

Mean and variance are those of one token: over its features, the last axis. The variance is the
mean of the squares (by D, not D - 1).

x        (..., D)   tokens; "..." is any number of leading axes, also none
gain     (D,)       one number for each feature
bias     (D,)       one number for each feature
eps      a number   added to the variance, under the root
returns  (..., D)

For example

    x = np.array([[1.0, 3.0],
                  [5.0, 5.0]])
    gain = np.array([2.0, 2.0])
    bias = np.array([0.0, 1.0])
    layer_norm(x, gain, bias)    ->  [[-2.0, 3.0],
                                      [ 0.0, 1.0]]

Checked: the shape, with and without leading axes; mean and variance of each token, also for a
large mean, a tiny spread and a token whose features are all alike; that no token moves another;
eps given and left out; the values.
"""

import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    # TODO: centre each token, divide by its deviation, stretch and move.
    raise NotImplementedError("TODO: layer_norm")

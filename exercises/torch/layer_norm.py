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

    x = torch.tensor([[1.0, 3.0],
                      [5.0, 5.0]])
    gain = torch.tensor([2.0, 2.0])
    bias = torch.tensor([0.0, 1.0])
    layer_norm(x, gain, bias)    ->  [[-2.0, 3.0],
                                      [ 0.0, 1.0]]

Checked: the shape, with and without leading axes; mean and variance of each token, also for a
large mean, a tiny spread and a token whose features are all alike; that no token moves another;
eps given and left out; the values; the gradients with respect to x, gain and bias.
"""

import torch


def layer_norm(x, gain, bias, eps=1e-5):
    # TODO: centre each token, divide by its deviation, stretch and move.
    raise NotImplementedError("TODO: layer_norm")

"""Layer norm: every token on one scale."""

import torch


def layer_norm(x, gain, bias, eps=1e-5):
    """Each token of x (..., D) with mean 0 and variance 1, times gain (D,), plus bias (D,).

    The variance divides by D. A token whose features are all alike becomes the bias.
    """
    mean = x.mean(dim=-1, keepdim=True)  # (..., 1)
    centred = x - mean  # (..., D)
    variance = (centred**2).mean(dim=-1, keepdim=True)  # (..., 1)
    standardised = centred / torch.sqrt(variance + eps)  # (..., D)
    return gain * standardised + bias  # (..., D)

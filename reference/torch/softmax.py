"""Softmax over the keys, safe for large scores."""

import torch


def softmax(scores):
    """Weights from scores: same shape, every row (last axis) sums to 1.

    Subtracting a row's largest score changes nothing in the quotient and keeps exp from
    overflowing.
    """
    largest = scores.amax(dim=-1, keepdim=True)  # (..., T_q, 1)
    exps = torch.exp(scores - largest)  # (..., T_q, T_k)
    total = exps.sum(dim=-1, keepdim=True)  # (..., T_q, 1)
    return exps / total  # (..., T_q, T_k)

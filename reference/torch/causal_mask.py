"""The additive mask that hides the future."""

import torch

BLOCKED = -1e9


def causal_mask(seq_len):
    """(T, T): 0.0 where key j is not after query i, -1e9 where it is."""
    blocked = torch.full((seq_len, seq_len), BLOCKED)  # (T, T)
    return torch.triu(blocked, diagonal=1)  # (T, T)

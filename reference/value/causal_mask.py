"""The additive mask that hides the future."""

BLOCKED = -1e9


def causal_mask(seq_len):
    """T rows of T: 0.0 where key j is not after query i, -1e9 where it is."""
    positions = range(seq_len)
    return [[0.0 if j <= i else BLOCKED for j in positions] for i in positions]  # T rows of T

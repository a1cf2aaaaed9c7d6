"""One pass in `train()` (torch): finite numbers and closed masks, whatever dropout does.

Every head's values are the identity, so the output shows the weights; dropout may scale
them or make them zero, but a later token has weight 0 in every position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.terms import Backend

from .draft import Draft, Tag, draft
from .probe import usable
from .steps import right
from .verdicts import describe_call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .draw import Draw
    from .probe import Answered
    from .steps.recorded import Array

SAMPLES = 4
TOKENS = 8
"""enough masked scores that a dropout before softmax meets one of them for certain"""


def ask(draw: Draw, heads: int) -> Iterator[Draft]:
    """A causal pass whose output is the weights, one block of columns per head (torch)."""
    if draw.backend is not Backend.TORCH:
        return
    width = heads * TOKENS
    tokens = np.tile(np.eye(TOKENS, width), (SAMPLES, 1, 1))  # (B, T, D)
    identity = np.tile(np.eye(width, TOKENS), (1, heads))  # (D, D)
    drawn = draw.without_biases(draw.matrices(width))
    call = {
        "d_model": width,
        "num_heads": heads,
        "causal": True,
        "x": tokens,
        "matrices": {**drawn, "W_v": identity, "W_o": np.eye(width)},
    }
    yield draft("train mode", call, tags={Tag.TRAIN})


def fault(answered: Answered) -> str:
    """What is wrong with the pass in train mode, or nothing."""
    output = answered.arrays(0)[0] if usable(answered.answers[0]) else None
    if output is None or output.shape != answered.probe.expected_results[0][0].shape:
        return ""
    call = f"{describe_call(answered.probe, 0)} in train() mode"
    unbounded = ~np.isfinite(output)
    if unbounded.any():
        return f"{call}: {int(unbounded.sum())} of {output.size} numbers are NaN or infinite"
    later = _later_weights(output, answered)
    if later.max() > answered.probe.tolerance(0, "output"):
        return f"{call}: a later token has weight {later.max():.4g}; dropout must not open a mask"
    return ""


def _later_weights(output: Array, answered: Answered) -> Array:
    """How much every position looks at tokens after it: (B, h, later pairs)."""
    weights = right.split_heads(output, answered.probe.calls[0]["num_heads"])  # (B, h, T, T)
    later: Array = np.abs(weights[..., ~np.tri(TOKENS, dtype=np.bool_)])
    return later

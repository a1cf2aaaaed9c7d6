"""One pass in `train()` (torch): finite numbers and closed masks, whatever dropout does.

Every head's values are the identity, so the output shows the weights; dropout may scale
them or make them zero, but a later token has weight 0 in every position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Mode

from . import oracle, stages
from .probe import Probe, Tag, usable
from .verdicts import describe_call

if TYPE_CHECKING:
    from .draw import Draw
    from .oracle import Array
    from .probe import Asked

SAMPLES = 4
TOKENS = 8
"""enough masked scores that a dropout before softmax meets one of them for certain"""


def ask(exercise: str, draw: Draw) -> Probe:
    """A causal pass whose output is the weights, one block of columns per head."""
    heads = 2 if exercise == "MultiHeadAttention" else 1
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
    return Probe(
        "values/train mode",
        exercise,
        stages.VALUES,
        (call,),
        frozenset({Tag.TRAIN}),
        draw.precision,
        mode=Mode.TRAIN,
    )


def fault(one: Asked) -> str:
    """What is wrong with the pass in train mode, or nothing."""
    output = one.arrays(0)[0] if usable(one.answers[0]) else None
    if output is None or output.shape != one.probe.expected_results[0][0].shape:
        return ""
    call = f"{describe_call(one.probe, 0)} in train() mode"
    unbounded = ~np.isfinite(output)
    if unbounded.any():
        return f"{call}: {int(unbounded.sum())} of {output.size} numbers are NaN or infinite"
    later = _later_weights(output, one)
    if later.max() > one.probe.tolerance(0, "output"):
        return f"{call}: a later token has weight {later.max():.4g}; dropout must not open a mask"
    return ""


def _later_weights(output: Array, one: Asked) -> Array:
    """How much every position looks at tokens after it: (B, h, later pairs)."""
    weights = oracle.split_heads(output, one.probe.calls[0]["num_heads"])  # (B, h, T, T)
    return np.abs(weights[..., ~oracle.causal_visible(TOKENS)])

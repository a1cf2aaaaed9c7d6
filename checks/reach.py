"""Ordinary masked numbers: the keys a query may see keep a share of its unmasked weights.

Mask-then-renormalise is right for them, also with the 1e-9 that many add to the sum they
divide by. Where it underflows is asked by probes made for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .projections import BIASES
from .steps import right

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .draft import Inputs
    from .draw import Draw
    from .steps.recorded import Array

LEAST_SHARE = 2e-3
SHORTER = 0.8


def least_share(weights: Array, keep: Array) -> float:
    """The least that any row of unmasked weights (..., T_q, T_k) gives to its visible keys."""
    seen = np.where(keep, weights, 0.0)  # (..., T_q, T_k)
    return float(seen.sum(axis=-1).min())


def within_reach(arrays: Inputs, mask: Array) -> Inputs:
    """The same keys and values with queries short enough for the mask."""
    keep = right.visible(mask)
    while least_share(right.weights_of(arrays["Q"], arrays["K"]), keep) < LEAST_SHARE:
        arrays = {**arrays, "Q": SHORTER * arrays["Q"]}
    return arrays


def scores_within_reach(scores: Array, keep: Array) -> Array:
    """A table of scores, drawn together until the visible keys count."""
    while least_share(right.softmax(scores), keep) < LEAST_SHARE:
        scores = SHORTER * scores
    return scores


def matrices_within_reach(draw: Draw, x: Array, heads: int) -> dict[str, Array]:
    """Drawn matrices under which every token of x gives its past a share."""
    matrices = draw.matrices(x.shape[-1])
    while past_share(x, matrices, heads) < LEAST_SHARE:
        matrices = draw.matrices(x.shape[-1])
    return matrices


def tokens_within_reach(x: Array, matrices: Mapping[str, Array], heads: int) -> Array:
    """Tokens shortened until every one gives its past a share under these matrices."""
    while past_share(x, matrices, heads) < LEAST_SHARE:
        x = SHORTER * x
    return x


def past_share(x: Array, matrices: Mapping[str, Array], heads: int) -> float:
    """The least that any token gives, unmasked, to itself and those before it.

    With the biases and without: a learner's layers have them or not.
    """
    past = np.tri(x.shape[-2], dtype=np.bool_)  # (T, T)
    bare = {name: array for name, array in matrices.items() if name not in BIASES}
    both = (matrices, bare) if len(bare) < len(matrices) else (bare,)
    return min(least_share(_weights(x, held, heads), past) for held in both)


def _weights(x: Array, matrices: Mapping[str, Array], heads: int) -> Any:
    """Unmasked, of a class with these matrices: (..., h, T, T)."""
    state = {"x": x, "matrices": matrices}
    queries, keys = (right.split_heads(right.projected(state, letter), heads) for letter in "qk")
    return right.weights_of(queries, keys)

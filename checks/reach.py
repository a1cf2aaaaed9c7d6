"""Ordinary masked numbers: the keys a query may see keep a share of its unmasked weights.

Mask-then-renormalise is right for them, also with the 1e-9 that many add to the sum they
divide by. Where it underflows is asked by probes made for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import oracle

if TYPE_CHECKING:
    from .oracle import Array
    from .probe import Inputs

LEAST_SHARE = 2e-3
SHORTER = 0.8


def least_share(weights: Array, keep: Array) -> float:
    """The least that any row of unmasked weights (..., T_q, T_k) gives to its visible keys."""
    seen = np.where(keep, weights, 0.0)  # (..., T_q, T_k)
    return float(seen.sum(axis=-1).min())


def within_reach(arrays: Inputs, mask: Array) -> Inputs:
    """The same keys and values with queries short enough for the mask."""
    keep = oracle.visible(mask)
    while least_share(_weights(arrays), keep) < LEAST_SHARE:
        arrays = {**arrays, "Q": SHORTER * arrays["Q"]}
    return arrays


def _weights(arrays: Inputs) -> Array:
    return oracle.attend(arrays["Q"], arrays["K"], arrays["V"], None)["weights"]

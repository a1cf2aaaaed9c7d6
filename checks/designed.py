"""Scores and masks that wrong code does not survive, in one place for whoever asks with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .draw import Draw
    from .steps.recorded import Array

CLOSED = -1e9
LEVELS = (0.0, 1e4, -1e4, -2000.0, 1500.0)
"""where the rows of one table of scores lie"""


def hard_scores(draw: Draw, rows: int, columns: int) -> dict[str, Array]:
    """Score tables (rows, columns) that a right softmax survives, by what makes them hard."""
    spread = draw.normal(rows, columns)
    far_apart = np.array([0.0, -2000.0, 1500.0, -4000.0, 900.0])[:rows, None]
    return {
        "moderate": 2.0 * spread,
        "near 1e4": 1e4 + spread,
        "near -1e4": -1e4 + spread,
        "rows far apart": far_apart + spread,
        "all negative": -30.0 - 3.0 * np.abs(spread),
    }


def levelled_scores(draw: Draw, *shape: int) -> Array:
    """(..., T_q, T_k): rows as far apart as scores may be, in one table; T_q <= 5."""
    return np.array(LEVELS)[: shape[-2], None] + draw.normal(*shape)


def end_to_end_scores(draw: Draw, rows: int, columns: int) -> Array:
    """Every score near 1e4 or near -1e4."""
    signs = draw.rng.choice([-1.0, 1.0], size=(rows, columns))
    return 1e4 * signs + draw.normal(rows, columns)


def ladder_scores(draw: Draw, size: int) -> Array:
    """(T, T): every score near -1.2e4, so that a fill of -1e4 towers above what is visible."""
    return -1.2e4 + draw.normal(size, size)


def cliff_scores(draw: Draw, keep: Array) -> Array:
    """(T_q, T_k): masked keys score 1.2e4, visible ones near 0: renormalising underflows."""
    return np.where(keep, draw.normal(*keep.shape), 1.2e4)


def additive(keep: Array, closed: float = CLOSED) -> Array:
    """0 where visible, `closed` where not."""
    return np.where(keep, 0.0, closed)


def scattered(draw: Draw, *shape: int) -> Array:
    """Booleans with at least one visible and one masked key in every row."""
    keep = draw.rng.random(shape) < 0.5
    order = draw.rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    both: Array = (keep | (order == 0)) & (order != 1)
    return both


def padding(lengths: Sequence[int], keys: int) -> Array:
    """(B, 1, T_k): the first `lengths[b]` keys of sample b are real."""
    return (np.arange(keys)[None, :] < np.array(lengths)[:, None])[:, None, :]


def triangle(length: int) -> Array:
    """(T, T): key j is visible to query i where j <= i."""
    return np.tri(length, dtype=np.bool_)

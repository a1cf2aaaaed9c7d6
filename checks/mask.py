"""Stage `mask`: the mask is applied before softmax.

Masked keys get weight 0, and the rest is a softmax over the visible keys. The second half
is judged against the learner's own unmasked weights, renormalised over the visible keys:
that is true of a right mask whatever else is wrong with the scores.

Mask-then-renormalise gives the same numbers until it underflows; there it is noted, never
failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Outcome

from . import stages
from .designed import CLOSED
from .draft import Tag
from .probe import Answered, Probe, usable
from .readings import Reading, readings
from .steps.right import visible
from .traits import Trait
from .verdicts import describe_call, failed, first_not_returned, passed, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.pack.kinds import Verdict

    from .steps.recorded import Array

STAGE = stages.MASK
CLOSES_UNDER_1E4 = -2.01e4
"""an additive mask at or below this keeps a score of 1e4 out of a row at -1e4: noted only"""
SEEN = 1e-3
"""visible keys with less than this share of the unmasked weights say little about each other"""
LOST = 1e-6
"""how far a row may be from nothing at all, or from even shares, to be one that underflowed"""
UNDERFLOW_RAISES = ("ZeroDivisionError", "FloatingPointError", "OverflowError", "ValueError")


def refuses_views(all_answered: Sequence[Answered]) -> bool:
    """Arguments that are transposed views were refused."""
    raised = (
        answered.answers[0].raised
        for answered in all_answered
        if Tag.STRIDED in answered.probe.tags
    )
    return any(error is not None and "view size" in error.message for error in raised)


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """No weight on masked keys; the visible ones share as they would without the others."""
    if all_answered and all_answered[0].probe.exercise.has(Trait.RETURNS_MASK):
        return _judge_returned_masks(all_answered)
    broken = first_not_returned(
        STAGE, [answered for answered in all_answered if not underflow_raised(answered)]
    )
    if broken is not None:
        return broken
    for opened, closed in _reading_pairs(all_answered):
        message = _fault(opened, closed)
        if message:
            return failed(STAGE, message, closed.answered, closed.index)
    return passed(STAGE)


def underflow_raised(answered: Answered) -> bool:
    """A division by the zero that renormalising underflows to: noted, not failed."""
    if Tag.UNDERFLOW not in answered.probe.tags:
        return False
    bad = [a for a in answered.answers if a.outcome is not Outcome.RETURNED]
    return bool(bad) and all(
        a.raised is not None and a.raised.type in UNDERFLOW_RAISES for a in bad
    )


def _reading_pairs(all_answered: Sequence[Answered]) -> Iterator[tuple[Reading | None, Reading]]:
    """Each masked reading with the unmasked one of the same numbers, where it could be read."""
    found: dict[str, list[Reading]] = {}
    for answered in all_answered:
        found.setdefault(answered.probe.beside or answered.probe.key, []).extend(readings(answered))
    for group in found.values():
        opened = next((r for r in group if r.visible is None), None)
        for closed in group:
            if closed.visible is not None:
                yield opened, closed


def _fault(opened: Reading | None, closed: Reading) -> str:
    weights, keep = closed.weights, closed.visible
    assert keep is not None
    call = describe_call(closed.answered.probe, closed.index)
    rows = np.ones(weights.shape[:-1], dtype=bool)
    if Tag.UNDERFLOW in closed.answered.probe.tags:
        rows = ~underflowed_rows(weights, keep)
    leaked = ~keep & rows[..., None] & ~(np.abs(weights) <= closed.allowed)
    if leaked.any():
        index = tuple(int(i) for i in np.argwhere(leaked)[0])
        given = weights[index]
        return (
            f"{call}: key {index[-1]} is masked for query {spoken(index[:-1])}, "
            f"yet has weight {given:.6g}"
        )
    if opened is None or Tag.UNDERFLOW in closed.answered.probe.tags:
        return ""
    with np.errstate(invalid="ignore", divide="ignore"):
        open_visible = np.where(keep, opened.weights, 0.0)  # (..., T_q, T_k)
        mass = open_visible.sum(axis=-1, keepdims=True)  # (..., T_q, 1)
        expected = open_visible / mass  # (..., T_q, T_k)
    allowed = closed.allowed * weights.shape[-1] / np.maximum(mass, SEEN)
    wrong = (mass > SEEN) & ~(np.abs(weights - expected) <= allowed)
    if not wrong.any():
        return ""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{call}: among the visible keys the weights are not the softmax over those keys: "
        f"weight {index} is {weights[index]:.6g}, and {expected[index]:.6g} was expected from "
        "your own unmasked weights"
    )


def underflowed_rows(weights: Array, keep: Array) -> Array:
    """Rows (..., T_q) that renormalising lost: NaN, zeros, or even shares put in their place."""
    lost = np.isnan(weights).all(axis=-1) | (np.abs(weights) < LOST).all(axis=-1)
    lost |= _is_even(weights, np.ones_like(keep)) | _is_even(weights, keep)
    return lost & ~keep.all(axis=-1)


def _is_even(weights: Array, keys: Array) -> Array:
    """Rows (..., T_q) that share alike over two of these keys or more, and leave the rest out."""
    count = keys.sum(axis=-1, keepdims=True)  # (..., T_q, 1)
    shares = keys / np.maximum(count, 1)  # (..., T_q, T_k)
    with np.errstate(invalid="ignore"):
        alike = (np.abs(weights - shares) < LOST).all(axis=-1)
    even: Array = alike & (count[..., 0] > 1)
    return even


def renormalised(all_answered: Sequence[Answered]) -> bool:
    """Whether any underflow probe shows the trace of mask-then-renormalise."""
    for answered in all_answered:
        if Tag.UNDERFLOW not in answered.probe.tags:
            continue
        if underflow_raised(answered):
            return True
        for reading in readings(answered):
            if reading.visible is not None:
                lost = underflowed_rows(reading.weights, reading.visible)
                if lost.any():
                    return True
    return False


def _judge_returned_masks(all_answered: Sequence[Answered]) -> Verdict:
    broken = first_not_returned(STAGE, all_answered)
    if broken is not None:
        return broken
    for answered in all_answered:
        mask = answered.arrays(0)[0] if usable(answered.answers[0]) else None
        message = "" if mask is None else fault_of_mask(mask, answered.probe, 0)
        if message:
            return failed(STAGE, message, answered)
    return passed(STAGE)


def closed_alike(numbers: Array) -> Array:
    """A returned mask with every number that is low enough to close as minus infinity."""
    return np.where(numbers <= CLOSES_UNDER_1E4, -np.inf, numbers)


def fault_of_mask(mask: Array, probe: Probe, index: int) -> str:
    """What is wrong with an additive mask that an exercise returns, or nothing."""
    call, right = describe_call(probe, index), probe.expected_results[index][0]
    keep = visible(right)
    if mask.shape != keep.shape:
        return f"{call} has shape {mask.shape}; {keep.shape} was expected"
    if is_binary(mask):
        if keep.all() and mask.dtype != np.bool_ and not mask.any():
            return ""
        return (
            f"{call} returned {_form(mask)}; an additive mask was expected: 0.0 "
            "where a key is visible and -1e9 (or lower) where it is not"
        )
    numbers = np.asarray(mask, dtype=np.float64)
    wrong = np.where(keep, numbers != 0, ~(numbers <= CLOSES_UNDER_1E4))
    if not wrong.any():
        return ""
    row, column = (int(i) for i in np.argwhere(wrong)[0])
    wanted = "0.0" if keep[row, column] else "-1e9 or lower"
    side = "is visible to" if keep[row, column] else "is hidden from"
    return (
        f"{call}[{row}, {column}] is {float(mask[row, column]):.6g}; key {column} "
        f"{side} query {row}, so {wanted} was expected"
    )


def is_binary(mask: Array) -> bool:
    """Booleans, or nothing but ones and zeros."""
    return mask.dtype == np.bool_ or bool(((mask == 0) | (mask == 1)).all())


def _form(mask: Array) -> str:
    return "booleans" if mask.dtype == np.bool_ else "ones and zeros"


def weakly_closed(all_answered: Sequence[Answered]) -> bool:
    """Some closed cell of a returned mask lies above -1e9, though low enough to close."""
    for answered in all_answered:
        if not answered.probe.exercise.has(Trait.RETURNS_MASK) or not usable(answered.answers[0]):
            continue
        mask, right = answered.arrays(0)[0], answered.probe.expected_results[0][0]
        if mask is None or mask.shape != right.shape or mask.dtype == np.bool_:
            continue
        closed = np.asarray(mask, dtype=np.float64)[~visible(right)]
        if closed.size and (closed > CLOSED).any():
            return True
    return False

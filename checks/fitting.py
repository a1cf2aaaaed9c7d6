"""Numbers that models need, estimated from the learner's answers.

An estimate only proposes: the model made with it must then hold on every probe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .bugs.ways import Quantity
from .draft import Tag
from .mask import CLOSES_UNDER_1E4
from .probe import Answered, usable
from .readings import Reading, readings
from .scaling import common_factor, factor_behind
from .steps.right import visible
from .traits import Trait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from .steps.recorded import Array

TINY = 0.5
USUAL_DIVISORS = (8.0, 0.125, 10.0, 512.0**0.5)
USUAL_BOUNDS = (1.0, 5.0, 10.0, 20.0, 30.0, 50.0, 80.0, 88.0, 100.0, 500.0, 1e3, 1e4)
USUAL_FILLS = (-1.0, -5.0, -10.0, -20.0, -50.0, -100.0, -1e3, -5e3, -1e4)
USUAL_DECIMALS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
USUAL_BASES = (2.0, 10.0, 2.718, 2.7, 2.71, 2.7183, 2.71828, 3.0)
LONG = 8
OVERFLOWS = float(np.log(np.finfo(np.float64).max))
LARGEST_DIVISOR = 1e6


def fit(quantity: Quantity, all_answered: Sequence[Answered]) -> list[float]:
    """Candidate values, the estimated ones first."""
    return _distinct(_ESTIMATES[quantity](all_answered))


def _distinct(values: Iterator[float], most: int = 40) -> list[float]:
    found: list[float] = []
    for value in values:
        known = any(abs(value - other) <= 1e-5 * max(1e-12, abs(other)) for other in found)
        if np.isfinite(value) and not known:
            found.append(float(value))
        if len(found) == most:
            break
    return found


def _divisors(all_answered: Sequence[Answered]) -> Iterator[float]:
    for answered in all_answered:
        if Tag.FACTOR in answered.probe.tags:
            yield from (divisor for divisor in _divisors_of(answered) if _divides(divisor))
    yield from USUAL_DIVISORS


def _divides(divisor: float) -> bool:
    """By something, and not by so much that nothing is left of the scores."""
    return abs(divisor - 1.0) > 1e-3 and abs(divisor) < LARGEST_DIVISOR


def _divisors_of(answered: Answered) -> Iterator[float]:
    if answered.probe.exercise.has(Trait.RETURNS_SCORES):
        given = answered.arrays(0)[0] if usable(answered.answers[0]) else None
        expected = answered.probe.expected_results[0][0]
        if given is not None and given.shape == expected.shape:
            factor = common_factor(expected, given, 1e-9)
            if factor is not None:
                yield float(np.sqrt(_d_k(answered, 0))) / factor
        return
    for reading in readings(answered):
        factor = factor_behind(reading)
        if factor is not None:
            yield float(np.sqrt(_d_k(answered, reading.index))) / factor


def _d_k(answered: Answered, index: int) -> int:
    return int(answered.probe.expected[index]["Q"].shape[-1])


def _bounds(all_answered: Sequence[Answered]) -> Iterator[float]:
    for answered in all_answered:
        if not answered.probe.exercise.has(Trait.RETURNS_SCORES) or not usable(answered.answers[0]):
            continue
        given, expected = answered.arrays(0)[0], answered.probe.expected_results[0][0]
        if given is None or given.shape != expected.shape or given.dtype == np.bool_:
            continue
        if np.abs(expected).max() > 1.01 * np.abs(given).max():
            yield from (bound for bound in (float(given.max()), float(-given.min())) if bound > 0)
    yield from USUAL_BOUNDS


def _exponents(all_answered: Sequence[Answered]) -> Iterator[float]:
    return (bound for bound in _bounds(all_answered) if bound < OVERFLOWS)


def _denominators(all_answered: Sequence[Answered]) -> Iterator[float]:
    for answered in all_answered:
        if not answered.probe.exercise.has(Trait.RETURNS_WEIGHTS):
            continue
        for reading in readings(answered):
            if reading.visible is not None or np.abs(reading.scores).max() > LONG:
                continue
            shifted = reading.scores - reading.scores.max(axis=-1, keepdims=True)
            total = np.exp(shifted).sum(axis=-1)  # (..., T_q)
            with np.errstate(divide="ignore", invalid="ignore"):
                more = total * (1.0 / reading.weights.sum(axis=-1) - 1.0)  # (..., T_q)
            if np.isfinite(more).all() and np.ptp(more) <= 1e-4 * np.abs(more).max():
                yield float(more.mean())
                return


def _fills(all_answered: Sequence[Answered]) -> Iterator[float]:
    """Fills that replace a score, and fills that are added to it."""
    by_probe: dict[str, list[Reading]] = {}
    for answered in all_answered:
        if Tag.MASKING in answered.probe.tags:
            by_probe.setdefault(answered.probe.beside or answered.probe.key, []).extend(
                readings(answered)
            )
    for group in by_probe.values():
        opened = next((r for r in group if r.visible is None), None)
        for closed in group:
            if closed.visible is not None:
                yield from _fills_of(opened, closed)


def _fills_of(opened: Reading | None, closed: Reading) -> Iterator[float]:
    weights, keep = closed.weights, closed.visible
    assert keep is not None
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(weights)  # (..., T_q, T_k)
        replaced = logs - _visible_level(logs - closed.scores, keep)  # (..., T_q, T_k)
        yield from _agreed(replaced[~keep])
        if opened is not None and opened.weights.shape == weights.shape:
            gap = logs - np.log(opened.weights)  # (..., T_q, T_k)
            yield from _agreed((gap - _visible_level(gap, keep))[~keep])


def _visible_level(array: Array, keep: Array) -> Array:
    """Each row's mean over its visible keys: (..., T_q, 1)."""
    total = np.where(keep, array, 0.0).sum(axis=-1, keepdims=True)
    return np.asarray(total / keep.sum(axis=-1, keepdims=True))


def _agreed(values: Array) -> Iterator[float]:
    if (
        values.size
        and np.isfinite(values).all()
        and np.ptp(values) <= 1e-4 * (1e-3 + np.abs(values).max())
    ):
        yield float(np.median(values))


def _tiny_fills(all_answered: Sequence[Answered]) -> Iterator[float]:
    return (fill for fill in _fills(all_answered) if abs(fill) <= TINY)


def _small_fills(all_answered: Sequence[Answered]) -> Iterator[float]:
    yield from (fill for fill in _fills(all_answered) if fill < -TINY)
    yield from USUAL_FILLS


def _closed_cells(all_answered: Sequence[Answered]) -> Iterator[float]:
    for answered in all_answered:
        if not answered.probe.exercise.has(Trait.RETURNS_MASK) or not usable(answered.answers[0]):
            continue
        mask, right = answered.arrays(0)[0], answered.probe.expected_results[0][0]
        if mask is None or mask.shape != right.shape or len(right) < 3:
            continue
        for side in (~visible(right), visible(right)):
            cells = set(np.asarray(mask, dtype=np.float64)[side].tolist())
            yield from (cell for cell in cells if cell != 0)


def _closed(low: float, high: float) -> Callable[[Sequence[Answered]], Iterator[float]]:
    return lambda all_answered: (c for c in _closed_cells(all_answered) if low < c <= high)


def _horizons(all_answered: Sequence[Answered]) -> Iterator[float]:
    """Lengths up to which masks are right: between the longest right and the shortest wrong.

    One more than the horizon is still right where only rows beyond it are open.
    """
    right, wrong = 1, 0
    for answered in all_answered:
        if Tag.REFUSED in answered.probe.tags:
            continue
        for index, call in enumerate(answered.probe.calls):
            length = call["seq_len"] if "seq_len" in call else _length_of(call)
            if not call.get("causal", True) or length < 2:
                continue
            if not _call_is_wrong(answered, index):
                right = max(right, length)
            elif not wrong or length < wrong:
                wrong = length
    yield from (float(n) for n in range(max(2, right - 1), wrong))


def _length_of(call: Mapping[str, Array]) -> int:
    return int(call["x"].shape[-2]) if "x" in call and call["x"].ndim > 1 else 0


def _call_is_wrong(answered: Answered, index: int) -> bool:
    answer = answered.answers[index]
    if not usable(answer):
        return answer.raised is not None
    given, expected = answered.arrays(index)[0], answered.probe.expected_results[index][0]
    if given is None or given.shape != expected.shape:
        return True
    if answered.probe.exercise.has(Trait.RETURNS_MASK):
        return bool(((given <= CLOSES_UNDER_1E4) != (expected < 0)).any())
    with np.errstate(invalid="ignore"):
        return not bool((np.abs(given - expected) < 1e-3).all())


_ESTIMATES: Mapping[Quantity, Callable[[Sequence[Answered]], Iterator[float]]] = {
    Quantity.DIVISOR: _divisors,
    Quantity.LARGEST_SCORE: _bounds,
    Quantity.LARGEST_EXPONENT: _exponents,
    Quantity.DENOMINATOR: _denominators,
    Quantity.TINY_FILL: _tiny_fills,
    Quantity.SMALL_FILL: _small_fills,
    Quantity.TINY_CLOSED: _closed(-TINY, TINY),
    Quantity.SMALL_CLOSED: _closed(CLOSES_UNDER_1E4, -TINY),
    Quantity.POSITIVE_CLOSED: _closed(TINY, np.inf),
    Quantity.HORIZON: _horizons,
    Quantity.DECIMALS: lambda _: iter(USUAL_DECIMALS),
    Quantity.BASE: lambda _: iter(USUAL_BASES),
}

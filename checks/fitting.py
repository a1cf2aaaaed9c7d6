"""Numbers that models need, estimated from the learner's answers.

An estimate only proposes: the model made with it must then hold on every probe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import oracle
from .bugs.ways import Quantity
from .mask import CLOSES_UNDER_1E4
from .probe import Asked, Tag, usable
from .readings import Reading, readings
from .scaling import common_factor, factor_behind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from .oracle import Array

TINY = 0.5
USUAL_DIVISORS = (8.0, 0.125, 10.0, 512.0**0.5)
USUAL_BOUNDS = (1.0, 5.0, 10.0, 20.0, 30.0, 50.0, 80.0, 88.0, 100.0, 500.0, 1e3, 1e4)
USUAL_FILLS = (-1.0, -5.0, -10.0, -20.0, -50.0, -100.0, -1e3, -5e3, -1e4)
USUAL_DECIMALS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
USUAL_BASES = (2.0, 10.0, 2.718, 2.7, 2.71, 2.7183, 2.71828, 3.0)
LONG = 8
OVERFLOWS = float(np.log(np.finfo(np.float64).max))
LARGEST_DIVISOR = 1e6


def fit(quantity: Quantity, everything: Sequence[Asked]) -> list[float]:
    """Candidate values, the estimated ones first."""
    return _distinct(_ESTIMATES[quantity](everything))


def _distinct(values: Iterator[float], most: int = 40) -> list[float]:
    found: list[float] = []
    for value in values:
        known = any(abs(value - other) <= 1e-5 * max(1e-12, abs(other)) for other in found)
        if np.isfinite(value) and not known:
            found.append(float(value))
        if len(found) == most:
            break
    return found


def _divisors(everything: Sequence[Asked]) -> Iterator[float]:
    for one in everything:
        if one.probe.key.startswith("scaling/"):
            yield from (divisor for divisor in _divisors_of(one) if _divides(divisor))
    yield from USUAL_DIVISORS


def _divides(divisor: float) -> bool:
    """By something, and not by so much that nothing is left of the scores."""
    return abs(divisor - 1.0) > 1e-3 and abs(divisor) < LARGEST_DIVISOR


def _divisors_of(one: Asked) -> Iterator[float]:
    if one.probe.exercise == "attention_scores":
        came = one.arrays(0)[0] if usable(one.answers[0]) else None
        expected = one.probe.expected_results[0][0]
        if came is not None and came.shape == expected.shape:
            factor = common_factor(expected, came, 1e-9)
            if factor is not None:
                yield float(np.sqrt(one.probe.calls[0]["d_k"])) / factor
        return
    for reading in readings(one):
        factor = factor_behind(reading)
        if factor is not None:
            d_k = one.probe.expected[reading.index]["Q"].shape[-1]
            yield float(np.sqrt(d_k)) / factor


def _bounds(everything: Sequence[Asked]) -> Iterator[float]:
    for one in everything:
        if one.probe.exercise != "attention_scores" or not usable(one.answers[0]):
            continue
        came, expected = one.arrays(0)[0], one.probe.expected_results[0][0]
        if came is None or came.shape != expected.shape or came.dtype == np.bool_:
            continue
        if np.abs(expected).max() > 1.01 * np.abs(came).max():
            yield from (bound for bound in (float(came.max()), float(-came.min())) if bound > 0)
    yield from USUAL_BOUNDS


def _exponents(everything: Sequence[Asked]) -> Iterator[float]:
    return (bound for bound in _bounds(everything) if bound < OVERFLOWS)


def _denominators(everything: Sequence[Asked]) -> Iterator[float]:
    for one in everything:
        if one.probe.exercise not in ("softmax", "scaled_dot_product_attention"):
            continue
        for reading in readings(one):
            if reading.visible is not None or np.abs(reading.scores).max() > LONG:
                continue
            shifted = reading.scores - reading.scores.max(axis=-1, keepdims=True)
            total = np.exp(shifted).sum(axis=-1)  # (..., T_q)
            with np.errstate(divide="ignore", invalid="ignore"):
                more = total * (1.0 / reading.weights.sum(axis=-1) - 1.0)  # (..., T_q)
            if np.isfinite(more).all() and np.ptp(more) <= 1e-4 * np.abs(more).max():
                yield float(more.mean())
                return


def _fills(everything: Sequence[Asked]) -> Iterator[float]:
    """Fills that replace a score, and fills that are added to it."""
    by_probe: dict[str, list[Reading]] = {}
    for one in everything:
        if one.probe.key.startswith("mask/"):
            name = one.probe.key.removesuffix("/open").removesuffix("/causal")
            by_probe.setdefault(name, []).extend(readings(one))
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


def _tiny_fills(everything: Sequence[Asked]) -> Iterator[float]:
    return (fill for fill in _fills(everything) if abs(fill) <= TINY)


def _small_fills(everything: Sequence[Asked]) -> Iterator[float]:
    yield from (fill for fill in _fills(everything) if fill < -TINY)
    yield from USUAL_FILLS


def _closed_cells(everything: Sequence[Asked]) -> Iterator[float]:
    for one in everything:
        if one.probe.exercise != "causal_mask" or not usable(one.answers[0]):
            continue
        length = one.probe.calls[0]["seq_len"]
        mask = one.arrays(0)[0]
        if mask is None or mask.shape != (length, length) or length < 3:
            continue
        for side in (~oracle.causal_visible(length), oracle.causal_visible(length)):
            cells = set(np.asarray(mask, dtype=np.float64)[side].tolist())
            yield from (cell for cell in cells if cell != 0)


def _closed(low: float, high: float) -> Callable[[Sequence[Asked]], Iterator[float]]:
    return lambda everything: (c for c in _closed_cells(everything) if low < c <= high)


def _horizons(everything: Sequence[Asked]) -> Iterator[float]:
    """Lengths up to which masks are right: between the longest right and the shortest wrong.

    One more than the horizon is still right where only rows beyond it are open.
    """
    right, wrong = 1, 0
    for one in everything:
        if Tag.NOT_DIVIDING in one.probe.tags:
            continue
        for index, call in enumerate(one.probe.calls):
            length = call["seq_len"] if "seq_len" in call else _length_of(call)
            if not call.get("causal", True) or length < 2:
                continue
            if not _call_is_wrong(one, index):
                right = max(right, length)
            elif not wrong or length < wrong:
                wrong = length
    yield from (float(n) for n in range(max(2, right - 1), wrong))


def _length_of(call: Mapping[str, Array]) -> int:
    return int(call["x"].shape[-2]) if "x" in call else 0


def _call_is_wrong(one: Asked, index: int) -> bool:
    answer = one.answers[index]
    if not usable(answer):
        return answer.raised is not None
    came, expected = one.arrays(index)[0], one.probe.expected_results[index][0]
    if came is None or came.shape != expected.shape:
        return True
    if one.probe.exercise == "causal_mask":
        return bool(((came <= CLOSES_UNDER_1E4) != (expected < 0)).any())
    with np.errstate(invalid="ignore"):
        return not bool((np.abs(came - expected) < 1e-3).all())


_ESTIMATES: Mapping[Quantity, Callable[[Sequence[Asked]], Iterator[float]]] = {
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

"""The weights behind an answer, whatever the exercise: returned, or recovered from outputs.

`row_sums`, `mask` and `scaling` judge these readings and need not know where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .probe import Asked, Inputs, Probe, Tag
from .weights import passes, recover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .draw import Draw
    from .oracle import Array


@dataclass(frozen=True)
class Reading:
    """One table of weights with the scores that the oracle would have given."""

    one: Asked
    index: int
    weights: Array
    scores: Array
    """unmasked, scaled (..., T_q, T_k)"""
    visible: Array | None
    """(..., T_q, T_k) booleans, None where nothing is masked"""
    allowed: float
    calls: range
    """the calls it was read off: one, or the passes of a class"""

    @property
    def key(self) -> str:
        """Where it was read."""
        return self.one.probe.call_key(self.index)


def reading_probe(probe: Probe, draw: Draw) -> Probe:
    """A class probe whose every call is replaced by the passes that read its weights."""
    calls: list[Inputs] = []
    for call in probe.calls:
        calls.extend(passes(draw, call))
    return Probe(
        probe.key,
        probe.exercise,
        probe.stage,
        tuple(calls),
        probe.tags | {Tag.RECOVER},
        probe.precision,
    )


def readings(one: Asked) -> Iterator[Reading]:
    """Every table of weights that can be read off a probe's answers."""
    if Tag.RECOVER in one.probe.tags:
        yield from _recovered(one)
        return
    position = {"softmax": 0, "scaled_dot_product_attention": 1}.get(one.probe.exercise)
    if position is None:
        return
    for index in range(len(one.answers)):
        arrays = one.arrays(index)
        expected = one.probe.expected_results[index][position]
        if len(arrays) <= position:
            continue
        weights = arrays[position]
        if weights is not None and weights.shape == expected.shape:
            table = np.asarray(weights, dtype=np.float64)
            yield _reading(one, range(index, index + 1), table)


def _recovered(one: Asked) -> Iterator[Reading]:
    first = 0
    while first < len(one.probe.calls):
        call = one.probe.calls[first]
        d_k = call["d_model"] // call["num_heads"]
        count = -(-call["x"].shape[-2] // d_k) + 1
        weights = recover(one, first, count)
        if weights is not None:
            yield _reading(one, range(first, first + count), weights)
        first += count


def _reading(one: Asked, calls: range, weights: Array) -> Reading:
    index = calls.start
    named = one.probe.expected[index]
    scores = np.asarray(named["scores"], dtype=np.float64)
    if one.probe.exercise == "SelfAttention":
        weights = weights[..., 0, :, :]  # (..., T, T)
    visible = _visible(one, index, scores)
    allowed = one.probe.tolerance(index, "weights")
    return Reading(one, index, weights, scores, visible, allowed, calls)


def _visible(one: Asked, index: int, scores: Array) -> Array | None:
    if one.probe.exercise == "softmax":
        return None
    masked = one.probe.expected[index]["masked scores"]
    shown = np.isfinite(masked)
    return None if shown.all() else np.broadcast_to(shown, scores.shape)

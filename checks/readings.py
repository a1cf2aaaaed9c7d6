"""The weights behind an answer, whatever the exercise: returned, or recovered from outputs.

`row_sums`, `mask` and `scaling` judge these readings and need not know where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .draft import Draft, Tag
from .traits import Trait
from .weights import passes, recover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .draw import Draw
    from .probe import Answered
    from .steps.recorded import Array


@dataclass(frozen=True)
class Reading:
    """One table of weights with the scores that the oracle would have given."""

    answered: Answered
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
        return self.answered.probe.call_key(self.index)


def read_off(draw: Draw, draft: Draft) -> Draft:
    """The same draft with every call of a class replaced by the passes that read its weights."""
    calls = tuple(each for call in draft.calls for each in passes(draw, call))
    return replace(draft, calls=calls, tags=draft.tags | {Tag.READ_OFF})


def readings(answered: Answered) -> Iterator[Reading]:
    """Every table of weights that can be read off a probe's answers."""
    if Tag.READ_OFF in answered.probe.tags:
        yield from _recovered(answered)
        return
    if "weights" not in answered.probe.exercise.results:
        return
    position = answered.probe.exercise.results.index("weights")
    for index in range(len(answered.answers)):
        arrays = answered.arrays(index)
        expected = answered.probe.expected_results[index][position]
        if len(arrays) <= position:
            continue
        weights = arrays[position]
        if weights is not None and weights.shape == expected.shape:
            table = np.asarray(weights, dtype=np.float64)
            yield _reading(answered, range(index, index + 1), table)


def _recovered(answered: Answered) -> Iterator[Reading]:
    first = 0
    while first < len(answered.probe.calls):
        call = answered.probe.calls[first]
        d_k = call["d_model"] // call["num_heads"]
        count = -(-call["x"].shape[-2] // d_k) + 1
        weights = recover(answered, first, count)
        if weights is not None:
            yield _reading(answered, range(first, first + count), weights)
        first += count


def _reading(answered: Answered, calls: range, weights: Array) -> Reading:
    index = calls.start
    named = answered.probe.expected[index]
    scores = np.asarray(named["scores"], dtype=np.float64)
    if answered.probe.exercise.has(Trait.SINGLE_HEAD):
        weights = weights[..., 0, :, :]  # (..., T, T)
    visible = _visible(answered, index, scores)
    allowed = answered.probe.tolerance(index, "weights")
    return Reading(answered, index, weights, scores, visible, allowed, calls)


def _visible(answered: Answered, index: int, scores: Array) -> Array | None:
    masked = answered.probe.expected[index]["masked scores"]
    shown = np.isfinite(masked)
    return None if shown.all() else np.broadcast_to(shown, scores.shape)

"""Masks in half precision (torch): what they do is noted and never fails.

The same calls in float16 and in float32: without a mask, and with a boolean one that hides
every key of one query, whose scores lie near -40. A fill may not fit float16, the mask may
bring another dtype along, and the dtype's minimum plus such a score is minus infinity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Outcome

from .draft import Draft, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.calls import Answer

    from .draw import Draw
    from .probe import Answered

HALF = "float16"
OF_DTYPES = ("dtype", "scalar type", "same type")
"""how torch says that a product's factors have two dtypes"""


def ask(draw: Draw) -> Iterator[Draft]:
    """One query whose keys are all masked, with scores near -40; in both precisions."""
    scores = draw.normal(3, 4)  # (T_q, T_k)
    scores[1] -= 40.0
    keep = np.ones((3, 4), dtype=bool)
    keep[1] = False
    queries, keys = draw.with_scores(scores, 5)
    plain = {"Q": queries, "K": keys, "V": draw.normal(4, 2)}
    calls = ({**plain, "mask": None}, {**plain, "mask": keep})
    for precision in ("float32", HALF):
        yield Draft(precision, calls, frozenset({Tag.HALF}), precision)


def noted(all_answered: Sequence[Answered]) -> Iterator[str]:
    """The ids of what the calls in half precision show."""
    halves = [answered for answered in all_answered if Tag.HALF in answered.probe.tags]
    asked = {answered.probe.precision: answered for answered in halves}
    if len(asked) < 2 or not _came_in_half(asked[HALF].answers[0]):
        return
    masked = asked[HALF].answers[1]
    if masked.raised is not None and "overflow" in masked.raised.message:
        yield "half-fill-overflow"
    elif _is_promoted(masked):
        yield "mask-dtype-promotes"
    elif _is_lost(asked["float32"].answers[1], masked):
        yield "half-min-plus-score"


def _came_in_half(answer: Answer) -> bool:
    """Whether half precision is kept where no mask is given."""
    returned = answer.outcome is Outcome.RETURNED and len(answer.results) == 2
    return returned and all(result.dtype == HALF for result in answer.results)


def _is_promoted(answer: Answer) -> bool:
    if answer.raised is not None:
        return any(words in answer.raised.message for words in OF_DTYPES)
    return any(result.dtype != HALF for result in answer.results)


def _is_lost(single: Answer, half: Answer) -> bool:
    """Finite in float32, NaN in float16: the minimum plus a score overflowed to -inf."""
    if len(single.results) != 2 or len(half.results) != 2:
        return False
    weights, weights_in_half = single.arrays[1], half.arrays[1]
    if weights is None or weights_in_half is None:
        return False
    return bool(np.isfinite(weights).all() and np.isnan(weights_in_half).any())

"""Stage `scaling`: scores are divided by sqrt(d_k), once, of the head.

It fails only where the scores are the oracle's up to one factor; anything else that is
wrong with them is left to `values`. Where only weights are seen, the factor is read off
their logarithms, row by row relative to the row's first key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import stages
from .agreement import differs
from .probe import Answered, usable
from .readings import Reading, readings
from .traits import Trait
from .verdicts import describe_call, failed, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Verdict

    from .steps.recorded import Array

STAGE = stages.SCALING
SEEN = 1e-6
"""weights below this say nothing reliable about their scores"""


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """One factor other than 1 between the learner's scores and the oracle's."""
    broken = first_not_returned(STAGE, all_answered)
    if broken is not None:
        return broken
    for answered in all_answered:
        found = _score_factor(answered) or _weight_factor(answered)
        if found is not None:
            factor, index = found
            return failed(STAGE, _message(answered, index, factor), answered, index)
    return passed(STAGE)


def _message(answered: Answered, index: int, factor: float) -> str:
    d_k = answered.probe.expected[index]["Q"].shape[-1]
    call = describe_call(answered.probe, index)
    root = f"sqrt(d_k) is {np.sqrt(d_k):.4g} for d_k = {d_k}"
    return f"{call}: every score is {factor:.4g} times what it should be; {root}"


def _score_factor(answered: Answered) -> tuple[float, int] | None:
    if not answered.probe.exercise.has(Trait.RETURNS_SCORES) or not usable(answered.answers[0]):
        return None
    given, named = answered.arrays(0)[0], answered.probe.expected[0]
    if given is None or given.shape != named["scores"].shape:
        return None
    allowed = answered.probe.tolerance(0, "scores")
    factor = common_factor(named["scores"], given, allowed)
    return None if factor is None else (factor, 0)


def common_factor(expected: Array, given: Array, allowed: float) -> float | None:
    """The one factor other than 1 with given = factor * expected, or None."""
    given = np.asarray(given, dtype=np.float64)
    if not np.isfinite(given).all() or not differs(expected, given, allowed).any():
        return None
    factor = float((given * expected).sum() / (expected * expected).sum())
    scaled = factor * expected
    if factor <= 0 or differs(scaled, given, allowed * max(1.0, factor)).any():
        return None
    return factor


def _weight_factor(answered: Answered) -> tuple[float, int] | None:
    for reading in readings(answered):
        factor = factor_behind(reading)
        if factor is not None:
            return factor, reading.index
    return None


def factor_behind(reading: Reading) -> float | None:
    """The factor between the scores behind some weights and the oracle's, or None."""
    weights = reading.weights
    if not (weights > SEEN).all():
        return None
    logits = np.log(weights)  # (..., T_q, T_k)
    given = logits - logits[..., :1]
    expected = reading.scores - reading.scores[..., :1]
    return common_factor(expected, given, 20 * reading.allowed / float(weights.min()))

"""Stage `statistics`: with gain 1 and bias 0 each token has mean 0 and variance var / (var + eps).

Each token by itself: others do not move it. Also for a large mean, a tiny spread, one token and
tokens whose features are all alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import stages
from .shapes import wrong_form
from .verdicts import describe_call, failed, first_not_returned, passed, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Verdict

    from .probe import Answered
    from .steps.recorded import Array

STAGE = stages.STATISTICS


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """Finite numbers, means, variances, and that no token moves another."""
    broken = first_not_returned(STAGE, all_answered)
    if broken is not None:
        return broken
    for answered in all_answered:
        for index in range(len(answered.answers)):
            message = wrong_form(answered, index) or _fault(answered, index)
            message = message or _moved(answered, index)
            if message:
                return failed(STAGE, message, answered, index)
    return passed(STAGE)


def _normed(answered: Answered, index: int) -> Array:
    return np.asarray(answered.arrays(index)[0], dtype=np.float64)


def _fault(answered: Answered, index: int) -> str:
    probe, normed = answered.probe, _normed(answered, index)
    call, named = describe_call(probe, index), probe.expected[index]
    allowed = probe.tolerance(index, probe.exercise.results[0])
    if not np.isfinite(normed).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(normed))[0])
        return f"{call}: number {at} is {normed[at]}; every number must be finite"
    means = normed.mean(axis=-1)  # (...)
    wrong = np.abs(means) > allowed
    if wrong.any():
        return _said(call, "mean", "0", means, wrong)
    variance = named["variance"][..., 0]  # (...)
    wanted = variance / (variance + probe.calls[index]["eps"])  # (...)
    given = normed.var(axis=-1)  # (...)
    wrong = np.abs(given - wanted) > 4.0 * allowed
    if not wrong.any():
        return ""
    first = tuple(np.argwhere(wrong)[0])
    return _said(call, "variance", f"{wanted[first]:.6g}", given, wrong)


def _said(call: str, what: str, wanted: str, given: Array, wrong: Array) -> str:
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    token = f"token {spoken(at)}" if at else "the token"
    return (
        f"{call}: {token} comes out with {what} {given[at]:.6g}; with gain 1 and bias 0 the "
        f"{what} of each token must be {wanted}"
    )


def _moved(answered: Answered, index: int) -> str:
    """Tokens that a call shares with the first one come out alike."""
    if index == 0:
        return ""
    before, after = (np.asarray(answered.probe.calls[i]["x"]) for i in (0, index))
    if before.shape != after.shape:
        return ""
    kept = (before == after).all(axis=-1)  # (...)
    gaps = np.abs(_normed(answered, index) - _normed(answered, 0)).max(axis=-1)  # (...)
    moved = kept & (gaps > 2.0 * answered.probe.tolerance(0, answered.probe.exercise.results[0]))
    if not moved.any():
        return ""
    at = tuple(int(i) for i in np.argwhere(moved)[0])
    return (
        f"{describe_call(answered.probe, index)}: token {spoken(at)} changed although only other "
        "tokens did; each token is normed by itself"
    )

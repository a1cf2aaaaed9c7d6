"""Stage `values`: every number agrees with the oracle, and nothing else changes.

Fresh random numbers, every probe of the earlier stages once more, inputs untouched, the
same call again gives the same answer, other numbers of the same shape another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.pack.kinds import Verdict
from attnpack.terms import Status

from . import stages, train_mode
from .agreement import agree, compare, differs
from .draft import OWN_RULES, Tag
from .mask import underflow_raised, underflowed_rows
from .readings import readings
from .shapes import wrong_form
from .traits import Trait
from .verdicts import describe_call, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Answer
    from attnpack.pack.kinds import Comparison

    from .probe import Answered
    from .steps.recorded import Array

STAGE = stages.VALUES
LARGE = 1.5e4
EVERYTHING: Array = np.array(True)


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """All probes against the oracle, this stage's own first."""
    own = [answered for answered in all_answered if answered.probe.stage == STAGE]
    in_train_mode = [answered for answered in all_answered if Tag.TRAIN in answered.probe.tags]
    compared = sorted(
        filter(_comparable, all_answered), key=lambda answered: answered.probe.stage != STAGE
    )
    broken = first_not_returned(STAGE, own)
    if broken is not None:
        return broken
    for answered in compared:
        verdict = _state(answered) if Tag.REPEAT in answered.probe.tags else None
        verdict = verdict or _mutation(answered) or _wrong(answered)
        if verdict is not None:
            return verdict
    for answered in in_train_mode:
        message = train_mode.fault(answered)
        if message:
            return _verdict(answered, 0, message)
    return passed(STAGE)


def _comparable(answered: Answered) -> bool:
    """What a later stage asks and what raised there is that stage's to say."""
    raised = any(answer.raised is not None for answer in answered.answers)
    later = answered.probe.stage == stages.GRADIENTS
    own_rules = bool(answered.probe.tags & OWN_RULES) or underflow_raised(answered)
    return not own_rules and not (later and raised)


def _verdict(
    answered: Answered, index: int, message: str, comparison: Comparison | None = None
) -> Verdict:
    key, answer = answered.probe.call_key(index), answered.answers[index]
    return Verdict(STAGE, Status.FAILED, message, key, comparison, answer)


def _mutation(answered: Answered) -> Verdict | None:
    for index, answer in enumerate(answered.answers):
        for path in answer.changed:
            name = answered.probe.argument(index, path)
            call = describe_call(answered.probe, index)
            message = f"{call} changed its argument {name} in place; inputs must stay as they were"
            return _verdict(answered, index, message)
    return None


def _state(answered: Answered) -> Verdict | None:
    first, again, other = answered.arrays(0), answered.arrays(1), answered.arrays(2)
    if not (first and again and other) or any(a is None for a in (*first, *again, *other)):
        return None
    call = describe_call(answered.probe, 0)
    allowed = max(answered.probe.tolerance(0, name) for name in answered.probe.exercise.results)
    if not _alike(first, again, allowed):
        message = f"{call}, called twice with the same numbers, gave two different answers"
        return _verdict(answered, 1, message)
    shapes = [[array.shape for array in answered.probe.expected_results[i]] for i in (0, 2)]
    if shapes[0] == shapes[1] and _alike(first, other, 0.0):
        message = f"{call} gave the same answer for other numbers of the same shape"
        return _verdict(answered, 2, message)
    return None


def _alike(first: Sequence[Array | None], second: Sequence[Array | None], allowed: float) -> bool:
    """As many results, and none further apart than sums in another order may be."""
    if len(first) != len(second):
        return False
    return all(a is not None and agree(a, b, allowed) for a, b in zip(first, second, strict=True))


def _wrong(answered: Answered) -> Verdict | None:
    for index, answer in enumerate(answered.answers):
        message = wrong_form(answered, index)
        if message:
            return _misshapen(answered, index, answer, message)
        for position, array in enumerate(answered.probe.expected_results[index]):
            verdict = _wrong_result(answered, index, answer, position, array)
            if verdict is not None:
                return verdict
    return None


def _misshapen(answered: Answered, index: int, answer: Answer, message: str) -> Verdict:
    expected, call = answered.probe.expected_results[index], describe_call(answered.probe, index)
    comparison = compare(call, expected[0], answer, 0, 0.0) if answer.results else None
    return _verdict(answered, index, message, comparison)


def _wrong_result(
    answered: Answered, index: int, answer: Answer, position: int, expected: Array
) -> Verdict | None:
    given = answer.results[position].array
    if answered.probe.exercise.fault is not None:
        message = answered.probe.exercise.fault(given, answered.probe, index)
        return _verdict(answered, index, message) if message else None
    name = answered.probe.exercise.results[position]
    allowed = answered.probe.tolerance(index, name)
    assert given is not None
    wrong = differs(expected, given, allowed) & counted(answered, index, answer)
    if not wrong.any():
        return None
    call = describe_call(answered.probe, index)
    comparison = compare(call, expected, answer, position, allowed)
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    message = (
        f"{call}: {int(wrong.sum())} of {wrong.size} numbers differ; the first is {first}: "
        f"{float(expected[first]):.6g} expected, {float(given[first]):.6g} came"
    )
    return _verdict(answered, index, message, comparison)


def counted(answered: Answered, index: int, answer: Answer) -> Array:
    """Which numbers of a result count, broadcastable to it: renormalising may underflow."""
    if Tag.UNDERFLOW not in answered.probe.tags:
        return EVERYTHING
    if answered.probe.is_class:
        output = answer.results[0].array
        assert output is not None
        lost = _lost_tokens(output) | _lost_rows(answered, index)  # (..., T)
        return ~lost[..., None]  # (..., T, 1)
    weights = answer.results[1].array
    keep = np.isfinite(answered.probe.expected[index]["masked scores"])
    if weights is None or weights.shape != keep.shape:
        return EVERYTHING
    return ~underflowed_rows(np.asarray(weights, dtype=np.float64), keep)[..., None]


def _lost_tokens(output: Array) -> Array:
    """(..., T): tokens that renormalising lost in some head.

    With W_o the identity (all underflow probes of classes) a lost head leaves its columns
    NaN or zero; that is only asked of the rows the contract lets go.
    """
    lost = np.isnan(output) | (np.abs(output) < 1e-6)
    return np.asarray(lost.any(axis=-1))


def _lost_rows(answered: Answered, index: int) -> Array:
    """(..., T): tokens whose weights, read off this call's passes, renormalising lost."""
    lost: Array = ~EVERYTHING
    for reading in readings(answered):
        if reading.visible is not None and index in reading.calls:
            rows = underflowed_rows(reading.weights, reading.visible)  # (..., h, T) or (..., T)
            heads = rows.any(axis=-2) if answered.probe.exercise.has(Trait.HEADED) else rows
            lost = lost | heads
    return lost

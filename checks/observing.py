"""A transcript as the search for models sees it: states, outcomes, and what counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attnpack.calls import Answer, Outcome, Raised, Result
from attnpack.diagnosis.observed import Ended, Observation, ObservedProbe

from .agreement import differs, largest
from .draft import OWN_RULES, Inputs, Tag
from .mask import underflow_raised
from .probe import Answered, Probe, usable
from .values import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.diagnosis.models import State

    from .steps.recorded import Array

SCALAR_OVERFLOW = ("OverflowError", "ZeroDivisionError", "FloatingPointError")
OF_SHAPE = ("ValueError", "RuntimeError", "IndexError", "TypeError", "AxisError")
"""what arrays that do not fit raise; a NameError is no trace of a modelled bug"""
_OF_ARGUMENTS = re.compile(r"positional argument|keyword argument|required argument")


def observe(all_answered: Sequence[Answered]) -> list[ObservedProbe]:
    """Every probe that models can repeat."""
    return [_observed(answered) for answered in all_answered if not answered.probe.tags & OWN_RULES]


def _observed(answered: Answered) -> ObservedProbe:
    states = tuple(_state(call) for call in answered.probe.calls)
    answers = tuple(_observation(answered, index) for index in range(len(answered.answers)))
    return ObservedProbe(answered.probe.key, states, answers, answered.probe.stage)


def _state(call: Inputs) -> State:
    return {"mask": None, **call}


def _observation(answered: Answered, index: int) -> Observation:
    answer = answered.answers[index]
    if answer.outcome is Outcome.RAISED:
        return _raised(answered, answer)
    if not usable(answer):
        return Observation(Ended.UNKNOWN)
    expected = answered.probe.expected_results[index]
    names = answered.probe.exercise.results
    bounds = [answered.probe.tolerance(index, name) for name in names]
    arrays = tuple(answered.probe.comparable(array) for array in answer.arrays)
    same_form = len(arrays) == len(expected)
    allowed = tuple(bounds) if same_form else (max(bounds),) * len(arrays)
    counts = tuple(_counts(answered, index, answer) if same_form else None for _ in arrays)
    wrong = not same_form or any(
        _is_wrong(answered.probe.comparable(right), array, bound, count)
        for right, array, bound, count in zip(expected, arrays, allowed, counts, strict=True)
    )
    if same_form:
        allowed = tuple(map(_as_large, allowed, expected, answer.results))
    return Observation(Ended.NUMBERS, arrays, allowed, counts, wrong)


def _as_large(allowed: float, right: Array, result: Result) -> float:
    """Single precision loses digits: more of them where numbers are larger than the right ones."""
    if result.dtype != "float32" or result.array is None:
        return allowed
    return allowed * max(1.0, largest(result.array) / (1.0 + largest(right)))


def _counts(answered: Answered, index: int, answer: Answer) -> Array | None:
    if Tag.UNDERFLOW not in answered.probe.tags:
        return None
    return counted(answered, index, answer)


def _is_wrong(expected: Array, given: Array, allowed: float, count: Array | None) -> bool:
    if expected.shape != given.shape:
        return True
    wrong = differs(expected, given, allowed)
    return bool((wrong if count is None else wrong & count).any())


def _raised(answered: Answered, answer: Answer) -> Observation:
    assert answer.raised is not None
    if underflow_raised(answered):
        return Observation(Ended.UNKNOWN)
    if answer.raised.type in SCALAR_OVERFLOW:
        return Observation(Ended.OVERFLOWED, wrong=True)
    of_shape = _is_of_shape(answer.raised)
    return Observation(Ended.RAISED if of_shape else Ended.UNKNOWN, wrong=True)


def _is_of_shape(raised: Raised) -> bool:
    """Whether arrays that do not fit raised, not a call with other arguments than there are."""
    kind = any(raised.type.endswith(kind) for kind in OF_SHAPE)
    return kind and bool(raised.frames) and not _OF_ARGUMENTS.search(raised.message)


def is_masked(state: State) -> bool:
    """Whether how masked keys are blocked, or which GELU is meant, can show in a call."""
    if "W_1" in state:
        return True
    if "seq_len" in state:
        return False
    alone = "x" in state and state["x"].shape[-2:-1] == (1,)
    return (bool(state.get("causal")) and not alone) or state.get("mask") is not None


def right_observation(probe: Probe, index: int) -> Observation:
    """The oracle's results in the form of an observation, for comparing a model with them."""
    names = probe.exercise.results
    arrays = tuple(probe.comparable(array) for array in probe.expected_results[index])
    allowed = tuple(probe.tolerance(index, name) for name in names)
    return Observation(Ended.NUMBERS, arrays, allowed, (None,) * len(arrays))

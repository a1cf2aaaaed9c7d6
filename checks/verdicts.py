"""What every stage says the same way: passed, raised, and a call in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Answer, Outcome
from attnpack.pack.kinds import Verdict
from attnpack.terms import Stage, Status

from .agreement import agree, compare
from .probe import FUNCTION_ARGUMENTS, RESULT_NAMES, Asked, Probe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Comparison


def passed(stage: Stage) -> Verdict:
    """This stage found nothing."""
    return Verdict(stage, Status.PASSED)


def failed(stage: Stage, message: str, one: Asked, index: int = 0) -> Verdict:
    """A wrong answer, shown by one call of a probe."""
    key, answer = one.probe.call_key(index), one.answers[index]
    return Verdict(stage, Status.FAILED, message, key, comparison_of(one, index), answer)


def comparison_of(one: Asked, index: int) -> Comparison | None:
    """What came and what was expected of the first result of a call that differs."""
    answer, expected = one.answers[index], one.probe.expected_results[index]
    names = RESULT_NAMES[one.probe.exercise]
    if len(answer.results) != len(expected) or one.probe.exercise == "causal_mask":
        return None
    call = describe_call(one.probe, index)
    for position, (name, array) in enumerate(zip(names, expected, strict=True)):
        allowed = one.probe.tolerance(index, name)
        if not agree(array, answer.results[position].array, allowed):
            return compare(call, array, answer, position, allowed)
    return None


def spoken(index: tuple[int, ...]) -> str:
    """An index in a sentence: 3, or (0, 1, 3)."""
    return str(index[0]) if len(index) == 1 else str(index)


def describe_call(probe: Probe, index: int) -> str:
    """A call in words: `softmax(scores (5, 7))`."""
    call = probe.calls[index]
    if not probe.is_class:
        names = FUNCTION_ARGUMENTS[probe.exercise]
        shown = [_argument(name, call[name]) for name in names if call.get(name) is not None]
        return f"{probe.exercise}({', '.join(shown)})"
    sizes, shape = f"{call['d_model']}", call["x"].shape
    flag = "" if call.get("by_default") else f", causal={call['causal']}"
    if probe.exercise == "MultiHeadAttention":
        return f"MultiHeadAttention({sizes}, {call['num_heads']}{flag}).forward(x {shape})"
    return f"SelfAttention({sizes}).forward(x {shape}{flag})"


def _argument(name: str, value: object) -> str:
    if isinstance(value, np.ndarray):
        kind = {"b": " bool", "i": " int"}.get(value.dtype.kind, "")
        return f"{name} {value.shape}{kind}"
    return f"{name}={value}"


def first_not_returned(stage: Stage, asked: Sequence[Asked]) -> Verdict | None:
    """An error verdict where a call (or the constructor before it) raised, looped or ended."""
    for one in asked:
        build = one.build
        if build is not None and build.outcome is not Outcome.RETURNED:
            return _error(stage, one, 0, build)
        for index, answer in enumerate(one.answers):
            if answer.outcome is not Outcome.RETURNED:
                return _error(stage, one, index, answer)
    return None


def _error(stage: Stage, one: Asked, index: int, answer: Answer) -> Verdict:
    call = describe_call(one.probe, index)
    message = f"{call} {how_it_ended(answer)}"
    key = one.probe.call_key(index)
    return Verdict(stage, Status.ERROR, message, key, answer=answer)


def how_it_ended(answer: Answer) -> str:
    """The outcome of a call that did not return, as the end of a sentence."""
    if answer.raised is not None:
        return f"raised {answer.raised.type}: {answer.raised.message}"
    return {
        Outcome.TIMED_OUT: "did not return in its time",
        Outcome.ENDED: "ended the whole process",
        Outcome.NOT_REACHED: "was not reached: an earlier call ended or ran out of time",
        Outcome.NOT_DEFINED: "could not be made: the name is not defined",
    }.get(answer.outcome, "did not return")

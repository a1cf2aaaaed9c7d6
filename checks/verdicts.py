"""What every stage says the same way: passed, raised, and a call in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Answer, Outcome, Raised
from attnpack.pack.kinds import Verdict
from attnpack.pack.verdicts import how_it_ended
from attnpack.terms import Stage, Status

from .agreement import agree, compare
from .exercise import Signature
from .probe import Answered, Probe, is_left_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Comparison

    from .draft import Inputs


def passed(stage: Stage) -> Verdict:
    """This stage found nothing."""
    return Verdict(stage, Status.PASSED)


def failed(stage: Stage, message: str, answered: Answered, index: int = 0) -> Verdict:
    """A wrong answer, shown by one call of a probe."""
    key, answer = answered.probe.call_key(index), answered.answers[index]
    return Verdict(stage, Status.FAILED, message, key, comparison_of(answered, index), answer)


def comparison_of(answered: Answered, index: int) -> Comparison | None:
    """What came and what was expected of the first result of a call that differs."""
    answer, expected = answered.answers[index], answered.probe.expected_results[index]
    names = answered.probe.exercise.results
    if len(answer.results) != len(expected) or answered.probe.exercise.fault is not None:
        return None
    call = describe_call(answered.probe, index)
    for position, (name, array) in enumerate(zip(names, expected, strict=True)):
        allowed = answered.probe.tolerance(index, name)
        if not agree(array, answer.results[position].array, allowed):
            return compare(call, array, answer, position, allowed)
    return None


def spoken(index: tuple[int, ...]) -> str:
    """An index in a sentence: 3, or (0, 1, 3)."""
    return str(index[0]) if len(index) == 1 else str(index)


def describe_call(probe: Probe, index: int) -> str:
    """A call in words: `softmax(scores (5, 7))`, `SelfAttention(4).forward(x (5, 4))`."""
    call, exercise = probe.calls[index], probe.exercise
    given = ", ".join(_given(exercise.signature(call), call))
    if exercise.built is None:
        return f"{exercise.name}({given})"
    return f"{describe_object(probe, index)}.{exercise.built.method(call)}({given})"


def describe_object(probe: Probe, index: int = 0) -> str:
    """A class with what its constructor is given: `MultiHeadAttention(6, 2)`."""
    built, call = probe.exercise.built, probe.calls[index]
    assert built is not None
    sizes = [str(call[name]) for name in built.constructor.positional]
    flags = _given(Signature((), built.constructor.keywords), call)
    return f"{probe.exercise.name}({', '.join([*sizes, *flags])})"


def _given(signature: Signature, call: Inputs) -> list[str]:
    names = [
        name for name in (*signature.positional, *signature.keywords) if not is_left_out(call, name)
    ]
    if len(signature.positional) == 1 and names == [*signature.positional]:
        value = call[names[0]]
        if isinstance(value, int):
            return [str(value)]
    return [_argument(name, call[name]) for name in names]


def _argument(name: str, value: object) -> str:
    if isinstance(value, np.ndarray):
        kind = {"b": " bool", "i": " int"}.get(value.dtype.kind, "")
        return f"{name} {value.shape}{kind}"
    return name if isinstance(value, Mapping) else f"{name}={value}"


def first_not_returned(stage: Stage, all_answered: Sequence[Answered]) -> Verdict | None:
    """An error verdict where a call (or the constructor before it) raised, looped or ended."""
    for answered in all_answered:
        build = answered.build
        if build is not None and build.outcome is not Outcome.RETURNED:
            return _error(stage, answered, 0, build)
        for index, answer in enumerate(answered.answers):
            if answer.outcome is not Outcome.RETURNED:
                return _error(stage, answered, index, answer)
    return None


def _error(stage: Stage, answered: Answered, index: int, answer: Answer) -> Verdict:
    call = describe_call(answered.probe, index)
    message = f"{call} {how_it_ended(answer)}"
    key = answered.probe.call_key(index)
    return Verdict(stage, Status.ERROR, message, key, answer=answer)


def raised_by(verdict: Verdict) -> Raised | None:
    """The exception of the answer that failed, of its backward pass too."""
    answer = verdict.answer
    return None if answer is None else answer.raised or answer.backward_raised

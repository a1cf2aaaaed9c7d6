"""Stage `shapes`: it loads, it can be called, and every result has the right shape.

Sizes are all different, so that two axes cannot be confused without being seen; batch and
no batch, one query, one key, one sample.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.calls import Answer, Outcome
from attnpack.pack.kinds import Verdict
from attnpack.report.words import listed
from attnpack.terms import Status

from . import stages
from .draft import Tag
from .verdicts import describe_call, describe_object, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .probe import Answered


STAGE = stages.SHAPES


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """Raise, wrong number of results, wrong shape: the first that is found."""
    dividing = [answered for answered in all_answered if Tag.REFUSED not in answered.probe.tags]
    for answered in dividing:
        verdict = _built(answered) or first_not_returned(STAGE, [answered]) or _shaped(answered)
        if verdict is not None:
            return verdict
    for answered in all_answered:
        if Tag.REFUSED in answered.probe.tags and not refuses(answered):
            return _accepted(answered)
    return passed(STAGE)


def refuses(answered: Answered) -> bool:
    """ValueError or AssertionError or a kind of one, from the constructor or the first forward.

    One that the learner raises: see `is_refusal` in attnpack/guest/raised.py.
    """
    answer = _first_raised(answered)
    return answer is not None and bool(answer.facts.get("refusal"))


def _first_raised(answered: Answered) -> Answer | None:
    both = (answered.build, answered.answers[0])
    return next((a for a in both if a is not None and a.raised is not None), None)


def _accepted(answered: Answered) -> Verdict:
    raised = _first_raised(answered)
    reason = answered.probe.calls[0]["refused"]
    message = (
        f"{describe_object(answered.probe)}: {reason}, so a ValueError is expected, from the "
        f"constructor or the first forward; {_given(raised)}"
    )
    # What raised is not at fault: the constructor is, which let the sizes pass.
    return Verdict(STAGE, Status.FAILED, message, answered.probe.key, answer=answered.build)


def _given(answer: Answer | None) -> str:
    """What came instead of a refusal."""
    raised = None if answer is None else answer.raised
    if raised is None:
        return "nothing was raised"
    if raised.type != "ValueError":
        return f"{raised.type} was raised"
    where = f" in line {raised.frames[-1].line}" if raised.frames else ""
    return f"the one that came is no `raise` of yours, the code{where} happened to fail"


def _built(answered: Answered) -> Verdict | None:
    """The constructor must leave every matrix, in its size."""
    build = answered.build
    if build is None or build.outcome is not Outcome.RETURNED:
        return first_not_returned(STAGE, [answered]) if build is not None else None
    built = answered.probe.exercise.built
    assert built is not None
    wanted = built.parameters(answered.probe.calls[0])
    missing = list(build.facts.get("missing", ()))
    if missing:
        message = (
            f"after {describe_call(answered.probe, 0)} the object has no {', '.join(missing)}: the "
            f"constructor must create {_with_sizes(wanted)}"
        )
        return Verdict(STAGE, Status.FAILED, message, answered.probe.key, answer=build)
    for name, shape in build.facts.get("matrices", {}).items():
        if name in wanted and tuple(shape) != wanted[name]:
            message = f"{name} has shape {tuple(shape)}; {wanted[name]} was expected"
            return Verdict(STAGE, Status.FAILED, message, answered.probe.key, answer=build)
    return None


def _with_sizes(wanted: Mapping[str, tuple[int, ...]]) -> str:
    """What must be there: "W_q, W_k, W_v and W_o, each (4, 4)", or each with its own size."""
    sizes = set(wanted.values())
    if len(sizes) == 1:
        return f"{listed(list(wanted))}, each {sizes.pop()}"
    return listed([f"{name} {shape}" for name, shape in wanted.items()])


def _shaped(answered: Answered) -> Verdict | None:
    for index, answer in enumerate(answered.answers):
        called = answer.facts.get("called", ())
        if called:
            name = called[0]
            message = f"{name} was called: this exercise is to write attention by hand"
            return Verdict(STAGE, Status.FAILED, message, answered.probe.key, answer=answer)
        message = wrong_form(answered, index)
        if message:
            return Verdict(STAGE, Status.FAILED, message, answered.probe.key, answer=answer)
    return None


def wrong_form(answered: Answered, index: int) -> str:
    """What is wrong with the number, kind or shape of one call's results, or nothing."""
    answer, expected = answered.answers[index], answered.probe.expected_results[index]
    if [r.array.shape if r.array is not None else None for r in answer.results] == [
        array.shape for array in expected
    ]:
        return ""
    call = describe_call(answered.probe, index)
    if len(answer.results) != len(expected):
        wanted = "one array" if len(expected) == 1 else "two results, (output, weights)"
        return f"{call} returned {_form(answer)}; {wanted} expected"
    names = ("output", "weights") if len(expected) == 2 else ("result",)
    for name, array, result in zip(names, expected, answer.results, strict=True):
        if result.array is None:
            return f"{call}: the {name} is {_kind(result.kind)}; an array was expected"
        if result.array.shape != array.shape:
            given, wanted_shape = result.array.shape, array.shape
            return f"{call}: the {name} has shape {given}; {wanted_shape} was expected"
    return ""


def _form(answer: Answer) -> str:
    if answer.form == "none" or not answer.results:
        return "None"
    return "one thing" if len(answer.results) == 1 else f"{len(answer.results)} things"


def _kind(kind: str) -> str:
    return "None (is a return missing?)" if kind == "none" else f"of type {kind}"

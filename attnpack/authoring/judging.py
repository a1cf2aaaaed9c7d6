"""Stages in order: what to ask of an exercise, and what its answers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.authoring.exercise import SHAPES, VALUES
from attnpack.authoring.probes import Answered, Probe, answered, compared, wrong
from attnpack.calls import Outcome
from attnpack.pack.kinds import Judgement, Plan, Verdict
from attnpack.pack.verdicts import how_it_ended, not_loaded, skipped
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from attnpack.authoring.exercise import Exercise
    from attnpack.calls import Transcript
    from attnpack.pack.kinds import Comparison
    from attnpack.terms import Backend, Stage


def plan(exercise: Exercise, backend: Backend, rng: np.random.Generator) -> Plan:
    """Fresh probes of one exercise; their keys are those of no other."""
    probes = tuple(
        Probe(f"{exercise.name}/{name}/0", exercise, inputs)
        for name, inputs in exercise.ask(rng).items()
    )
    return Plan(exercise.name, backend, tuple(probe.question() for probe in probes), probes)


def judge(exercise: Exercise, plan: Plan, transcript: Transcript) -> Judgement:
    """The verdict of each stage; after the first that did not pass the rest are skipped."""
    stages = exercise.stages_on(plan.backend)
    stopped = not_loaded(stages[0], transcript)
    if stopped is not None:
        return Judgement((stopped, *skipped(stages[1:])))
    calls = answered(plan, transcript)
    verdicts: list[Verdict] = []
    for position, stage in enumerate(stages):
        verdicts.append(_verdict(exercise, stage, calls))
        if verdicts[-1].status is not Status.PASSED:
            verdicts.extend(skipped(stages[position + 1 :]))
            break
    return Judgement(tuple(verdicts))


def _verdict(exercise: Exercise, stage: Stage, calls: Sequence[Answered]) -> Verdict:
    if stage == SHAPES:
        return _shapes(calls)
    if stage == VALUES:
        return _values(calls)
    for call in calls:
        fault = exercise.properties[stage](call.probe.inputs, call.arrays or ())
        if fault:
            return _failed(stage, call, f"{call.probe}: {fault}", _first_difference(call))
    return Verdict(stage, Status.PASSED)


def _shapes(calls: Sequence[Answered]) -> Verdict:
    for call in calls:
        if call.answer.outcome is not Outcome.RETURNED:
            message = f"{call.probe} {how_it_ended(call.answer)}"
            return Verdict(SHAPES, Status.ERROR, message, call.probe.key, answer=call.answer)
        message = _wrong_form(call)
        if message:
            comparison = compared(call, 0) if call.answer.results else None
            return _failed(SHAPES, call, f"{call.probe} {message}", comparison)
    return Verdict(SHAPES, Status.PASSED)


def _wrong_form(call: Answered) -> str:
    """What is wrong with the form of the results, as the end of a sentence."""
    results, expected = call.answer.results, call.probe.expected
    if len(results) != len(expected):
        return f"returned {len(results)} results, and there should be {len(expected)}"
    for result, right in zip(results, expected, strict=True):
        if result.array is None or result.array.dtype.kind not in "fiub":
            return f"returned {result.kind}, which is no array of numbers"
        if result.array.shape != right.shape:
            return f"returned the shape {result.array.shape}, and it should be {right.shape}"
    return ""


def _values(calls: Sequence[Answered]) -> Verdict:
    for call in calls:
        for path in call.answer.changed:
            name = call.probe.exercise.arguments[int(path.partition("/")[0])]
            message = f"{call.probe} changed its argument {name} in place"
            return _failed(VALUES, call, message, None)
        comparison = _first_difference(call)
        if comparison is not None:
            count, size = comparison.differing, comparison.size
            return _failed(VALUES, call, f"{call.probe}: {count} of {size} differ", comparison)
    return Verdict(VALUES, Status.PASSED)


def _first_difference(call: Answered) -> Comparison | None:
    for position, array in enumerate(call.arrays or ()):
        expected, allowed = call.probe.expected[position], call.probe.allowed[position]
        if wrong(expected, array, allowed).any():
            return compared(call, position)
    return None


def _failed(stage: Stage, call: Answered, message: str, comparison: Comparison | None) -> Verdict:
    return Verdict(stage, Status.FAILED, message, call.probe.key, comparison, call.answer)

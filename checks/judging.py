"""Stages in order: what to ask of an exercise, and what its answers say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from attnpack.pack.kinds import Judgement, Plan, Verdict
from attnpack.pack.verdicts import not_loaded, skipped
from attnpack.terms import Backend, Stage, Status

from . import causal, gradients, mask, row_sums, scaling, shapes, statistics, values
from .draft import FOR_NOTES
from .draw import Draw
from .exercises import exercise as exercise_of
from .notes import notes_of
from .probe import Answered, Probe, bound, with_answers

if TYPE_CHECKING:
    import numpy as np

    from attnpack.calls import Transcript

Judge: TypeAlias = Callable[[Sequence[Answered]], Verdict]

JUDGES: Mapping[Stage, Judge] = {
    shapes.STAGE: shapes.judge,
    statistics.STAGE: statistics.judge,
    row_sums.STAGE: row_sums.judge,
    mask.STAGE: mask.judge,
    scaling.STAGE: scaling.judge,
    causal.STAGE: causal.judge,
    values.STAGE: values.judge,
    gradients.STAGE: gradients.judge,
}


def plan(exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
    """Fresh probes of every stage of one exercise."""
    draw, known = Draw(rng, backend), exercise_of(exercise)
    probes: list[Probe] = []
    for stage in known.stages_on(backend):
        if stage == gradients.STAGE:
            probes.extend(gradients.ask(known, draw))
        else:
            probes.extend(bound(each, known, stage, draw) for each in known.ask(stage, draw))
    questions = tuple(question for probe in probes for question in probe.questions())
    return Plan(exercise, backend, questions, tuple(probes))


def judge(plan: Plan, transcript: Transcript) -> Judgement:
    """The verdict of each stage; after the first that did not pass the rest are skipped."""
    stages = exercise_of(plan.exercise).stages_on(plan.backend)
    stopped = not_loaded(stages[0], transcript)
    if stopped is not None:
        return Judgement((stopped, *skipped(stages[1:])))
    all_answered = [with_answers(probe, transcript.answers) for probe in plan.probes]
    verdicts: list[Verdict] = []
    for position, stage in enumerate(stages):
        verdict = JUDGES[stage](_of_stage(all_answered, stage))
        verdicts.append(verdict)
        if verdict.status is not Status.PASSED:
            verdicts.extend(_after(stage, stages[position + 1 :], all_answered))
            break
    passed = all(v.status is Status.PASSED for v in verdicts)
    return Judgement(tuple(verdicts), notes_of(all_answered, transcript, passed=passed))


def _of_stage(all_answered: Sequence[Answered], stage: Stage) -> Sequence[Answered]:
    """What a stage judges: its own probes; `values` those of the earlier stages once more."""
    judged = [answered for answered in all_answered if not answered.probe.tags & FOR_NOTES]
    if stage == values.STAGE:
        return judged
    return [answered for answered in judged if answered.probe.stage == stage]


def _after(
    failed: Stage, stages: Sequence[Stage], all_answered: Sequence[Answered]
) -> list[Verdict]:
    """The stages after one that did not pass: skipped, and whether they would have passed.

    Of answers without the right shape nothing else can be said.
    """
    if failed == shapes.STAGE:
        return skipped(stages)
    judged = [JUDGES[stage](_of_stage(all_answered, stage)) for stage in stages]
    return [
        Verdict(each.stage, Status.SKIPPED, would_pass=each.status is Status.PASSED)
        for each in judged
    ]

"""Stages in order: what to ask of an exercise, and what its answers say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attnpack.calls import Outcome, Transcript
from attnpack.pack.kinds import Judgement, Plan, Verdict
from attnpack.terms import Backend, Stage, Status

from . import causal, gradients, mask, row_sums, scaling, shapes, values
from .draw import Draw
from .exercises import exercise as exercise_of
from .notes import notes_of
from .probe import FOR_NOTES, Asked, Probe, asked
from .verdicts import how_it_ended

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np

STAGES: Mapping[Stage, ModuleType] = {
    module.STAGE: module for module in (shapes, row_sums, mask, scaling, causal, values, gradients)
}

Judge = Callable[[Sequence[Asked]], Verdict]


def plan(exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
    """Fresh probes of every stage of one exercise."""
    draw = Draw(rng, backend)
    probes: list[Probe] = []
    for stage in exercise_of(exercise).stages_on(backend):
        probes.extend(STAGES[stage].ask(exercise, draw))
    questions = tuple(question for probe in probes for question in probe.questions())
    return Plan(exercise, backend, questions, tuple(probes))


def judge(plan: Plan, transcript: Transcript) -> Judgement:
    """The verdict of each stage; after the first that did not pass the rest are skipped."""
    stages = exercise_of(plan.exercise).stages_on(plan.backend)
    stopped = _not_loaded(stages[0], transcript)
    if stopped is not None:
        return Judgement((stopped, *_skipped(stages[1:])))
    everything = [asked(probe, transcript.answers) for probe in plan.probes]
    verdicts: list[Verdict] = []
    for position, stage in enumerate(stages):
        verdict = STAGES[stage].judge(_of_stage(everything, stage))
        verdicts.append(verdict)
        if verdict.status is not Status.PASSED:
            verdicts.extend(_skipped(stages[position + 1 :]))
            break
    passed = all(v.status is Status.PASSED for v in verdicts)
    return Judgement(tuple(verdicts), notes_of(everything, transcript, passed=passed))


def _of_stage(everything: Sequence[Asked], stage: Stage) -> Sequence[Asked]:
    """What a stage judges: its own probes; `values` those of the earlier stages once more."""
    judged = [one for one in everything if not one.probe.tags & FOR_NOTES]
    if stage == values.STAGE:
        return judged
    return [one for one in judged if one.probe.stage == stage]


def _skipped(stages: Sequence[Stage]) -> list[Verdict]:
    return [Verdict(stage, Status.SKIPPED) for stage in stages]


def _not_loaded(first: Stage, transcript: Transcript) -> Verdict | None:
    loaded = transcript.loaded
    if loaded.outcome is Outcome.RETURNED:
        return None
    if loaded.outcome is Outcome.NOT_DEFINED:
        return Verdict(first, Status.NOT_STARTED, "the name is not defined yet", answer=loaded)
    message = f"loading the file {how_it_ended(loaded)}"
    return Verdict(first, Status.ERROR, message, answer=loaded)

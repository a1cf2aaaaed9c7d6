"""What to run again under a line trace: the call that shows a bug best.

A good call has sizes that are all different, moderate numbers, and shows the bug; extreme
scores make everything one-hot and prove little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Answer, Call, Forward, Question, Transcript
from attnpack.diagnosis.observed import residual

from . import stages
from .bugs import catalogue
from .draft import Inputs, Tag
from .observing import observe, right_observation
from .probe import Answered, Probe, with_answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.diagnosis.matching import Explanation
    from attnpack.diagnosis.models import Model
    from attnpack.pack.kinds import Plan, Suspect, Verdict

MOST = 2
"""probes traced for one failing exercise"""
_STAGE_ORDER = {
    stages.VALUES: 0,
    stages.SCALING: 1,
    stages.SHAPES: 2,
    stages.MASK: 3,
    stages.CAUSAL: 4,
    stages.ROW_SUMS: 5,
    stages.GRADIENTS: 6,
}
"""whose calls show a bug best; those of other stages come last"""


@dataclass(frozen=True)
class Chosen:
    """One call of one probe."""

    probe: Probe
    index: int
    judged_whole: bool = False
    """no single answer of the probe is wrong by its numbers"""

    @property
    def key(self) -> str:
        """Under which its answer comes back."""
        return self.probe.call_key(self.index)


def trace_plan(
    plan: Plan, transcript: Transcript, verdict: Verdict, suspects: Sequence[Suspect]
) -> Sequence[Question]:
    """The questions to run again under a line trace; none where nothing can be learnt."""
    questions: list[Question] = []
    for chosen in choose(plan, transcript, verdict, suspects):
        questions.extend(_traced(chosen))
    return questions


def choose(
    plan: Plan, transcript: Transcript, verdict: Verdict, suspects: Sequence[Suspect]
) -> list[Chosen]:
    """The same choice for asking and for reading the answers."""
    raised = verdict.answer is not None and verdict.answer.raised is not None
    if raised or not suspects or not catalogue()[suspects[0].id].where.traced:
        return []
    all_answered = [with_answers(probe, transcript.answers) for probe in plan.probes]
    if verdict.stage == stages.GRADIENTS or suspects[0].evidence is None:
        return _by_verdict(all_answered, verdict)
    wrong = list(wrong_calls(all_answered))
    found: list[Chosen] = []
    for suspect in suspects:
        for chosen in sorted(wrong, key=preferred):
            if shows(suspect, chosen):
                found.append(chosen)
                break
    return list({chosen.key: chosen for chosen in found}.values())[:MOST]


def _by_verdict(all_answered: Sequence[Answered], verdict: Verdict) -> list[Chosen]:
    """The failing call itself, and a moderate one that is wrong as well."""
    found = []
    for answered in all_answered:
        for index, answer in enumerate(answered.answers):
            if answer.changed or answered.probe.call_key(index) == verdict.probe:
                found.append(Chosen(answered.probe, index))
    moderate = sorted(wrong_calls(all_answered), key=preferred)[:1]
    chosen = [*found[:1], *moderate] if verdict.stage != stages.GRADIENTS else found[:1]
    return list({each.key: each for each in chosen}.values())


def wrong_calls(all_answered: Sequence[Answered]) -> Iterator[Chosen]:
    """Every call whose numbers are not the oracle's, or that raised."""
    probes = {answered.probe.key: answered.probe for answered in all_answered}
    for observed in observe(all_answered):
        for index, answer in enumerate(observed.answers):
            if answer.wrong:
                yield Chosen(probes[observed.key], index)


def preferred(chosen: Chosen) -> tuple[bool, bool, int, int]:
    """Sorts calls: moderate numbers and sizes that are all different come first."""
    probe = chosen.probe
    extreme = bool(probe.tags & {Tag.EXTREME, Tag.INTEGER})
    return (
        extreme,
        Tag.READ_OFF in probe.tags,
        _coinciding_sizes(probe.calls[chosen.index]),
        _STAGE_ORDER.get(probe.stage, len(_STAGE_ORDER)),
    )


def _coinciding_sizes(call: Inputs) -> int:
    """How many sizes of the arguments are equal though they mean different things."""
    if "num_heads" in call:
        sizes = [*call["x"].shape]
        sizes += [call["num_heads"], call["d_model"] // call["num_heads"]] * (call["num_heads"] > 1)
    else:
        sizes = [size for a in call.values() if isinstance(a, np.ndarray) for size in set(a.shape)]
        sizes = list(set(sizes)) if len(set(sizes)) > 1 else sizes
    ones = sizes.count(1)
    return len(sizes) - len(set(sizes)) + 2 * ones


def shows(suspect: Suspect, chosen: Chosen) -> bool:
    """Whether the suspect's own model gives something else than the oracle on this call.

    Without a model there is nothing to ask: every wrong call shows it.
    """
    if suspect.evidence is None:
        return True
    model = model_of(suspect.evidence, suspect.id)
    pipeline = chosen.probe.exercise.pipeline
    with np.errstate(all="ignore"):
        try:
            results = pipeline.run(dict(chosen.probe.calls[chosen.index]), (model,))["results"]
        except Exception:  # noqa: BLE001  a model that cannot run shows itself
            return True
    return residual(results, right_observation(chosen.probe, chosen.index)) is None


def model_of(explanation: Explanation, bug: str) -> Model:
    """The model of one bug of an explanation."""
    return next(model for model in explanation.models if model.bug == bug)


def _traced(chosen: Chosen) -> Iterator[Question]:
    """The probe's questions up to the chosen call, that one traced."""
    for question in chosen.probe.questions():
        if isinstance(question, Call | Forward) and question.key == chosen.key:
            yield replace(question, trace=True)
            return
        yield question


def events_of(traced: Transcript, chosen: Chosen) -> Answer | None:
    """The traced answer to the chosen call."""
    return traced.answers.get(chosen.key)

"""From wrong answers to the bug's name: what shows by itself, then the models and every two."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.authoring.common import ENDS, MUTATED, NEVER_RETURNS, RAISES
from attnpack.authoring.probes import Answered, answered, wrong
from attnpack.calls import Outcome
from attnpack.diagnosis.matching import Effort, Search
from attnpack.diagnosis.observed import Ended, Observation, ObservedProbe
from attnpack.pack.kinds import Plan, Suspect, Verdict
from attnpack.terms import UNRECOGNISED, Match

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attnpack.authoring.exercise import Exercise
    from attnpack.calls import Answer, Transcript
    from attnpack.diagnosis.models import Model
    from attnpack.pack.texts import Bug

MOST_EQUALS = 3


def diagnose(
    exercise: Exercise,
    bugs: Mapping[str, Bug],
    plan: Plan,
    transcript: Transcript,
    verdict: Verdict,
    effort: Effort = Effort.SIMPLEST,
) -> Sequence[Suspect]:
    """The causes of a verdict that did not pass, the best explanation first."""
    ended = _ended(verdict.answer or transcript.loaded)
    if ended:
        return [Suspect(ended, Match.EXACT)]
    calls = answered(plan, transcript)
    if any(call.answer.changed for call in calls):
        return [Suspect(MUTATED, Match.EXACT)]
    return (
        _explained(exercise, bugs, calls, effort)
        or _raised(calls, transcript)
        or [Suspect(UNRECOGNISED, Match.UNKNOWN)]
    )


def models(exercise: Exercise, bugs: Mapping[str, Bug]) -> Iterator[Model]:
    """Every model that can be written in this exercise, with the name of its bug."""
    for known in bugs.values():
        for model in known.models:
            if exercise.pipeline.has(model):
                yield replace(model, bug=known.id)


def _ended(answer: Answer) -> str:
    outcome, raised = answer.outcome, answer.raised
    if outcome is Outcome.TIMED_OUT:
        return NEVER_RETURNS
    left = raised is not None and raised.type in ("SystemExit", "KeyboardInterrupt")
    return ENDS if outcome is Outcome.ENDED or left else ""


def _raised(calls: Sequence[Answered], transcript: Transcript) -> list[Suspect]:
    outcomes = [transcript.loaded.outcome, *(call.answer.outcome for call in calls)]
    return [Suspect(RAISES, Match.EXACT)] if Outcome.RAISED in outcomes else []


def _explained(
    exercise: Exercise, bugs: Mapping[str, Bug], calls: Sequence[Answered], effort: Effort
) -> list[Suspect]:
    """The models that give the learner's numbers on every probe: one alone, else two together."""
    observed = [_observed(call) for call in calls]
    if not any(given.ended is Ended.NUMBERS for probe in observed for given in probe.answers):
        return []
    if not any(probe.wrong for probe in observed):
        return []
    search = Search(exercise.pipeline, observed, (), lambda _: False)
    known = list(models(exercise, bugs))
    by_name = {found.bugs[0]: found for found in reversed(search.singles(known, effort))}
    if by_name:
        named = list(reversed(by_name.items()))[:MOST_EQUALS]
        return [Suspect(name, Match.EXACT, evidence=found) for name, found in named]
    for pair in search.pairs([model for model in known if model.paired])[:1]:
        return [Suspect(name, Match.EXACT, together=True, evidence=pair) for name in pair.bugs]
    return []


def _observed(call: Answered) -> ObservedProbe:
    return ObservedProbe(call.probe.key, (dict(call.probe.inputs),), (_observation(call),))


def _observation(call: Answered) -> Observation:
    if call.answer.outcome is Outcome.RAISED:
        return Observation(Ended.RAISED, wrong=True)
    if call.arrays is None:
        return Observation(Ended.UNKNOWN)
    expected, allowed = call.probe.expected, call.probe.allowed
    is_wrong = any(
        right.shape != array.shape or bool(wrong(right, array, limit).any())
        for right, array, limit in zip(expected, call.arrays, allowed, strict=True)
    )
    return Observation(Ended.NUMBERS, call.arrays, allowed, (None,) * len(allowed), is_wrong)

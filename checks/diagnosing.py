"""From a failing exercise's answers to the bug's name, the best explanation first.

What an answer says outright (a mutated argument, a call that never returned, a broken
graph) is recognised first; then the models, singles before pairs; what is left has a
symptom and no name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.diagnosis.matching import Effort
from attnpack.pack.kinds import Plan, Suspect, Verdict
from attnpack.terms import UNRECOGNISED, Match, Status

from . import exceptions, recognising, slips, stages
from .bugs import catalogue
from .code import read
from .explaining import Evidence, explained, explained_by_one, fits_pattern, nearly_explained
from .probe import with_answers
from .verdicts import raised_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Transcript
    from attnpack.pack.kinds import Source


def diagnose(
    plan: Plan,
    transcript: Transcript,
    verdict: Verdict,
    source: Source | None = None,
    effort: Effort = Effort.SIMPLEST,
) -> Sequence[Suspect]:
    """The causes of a verdict that did not pass."""
    all_answered = [with_answers(probe, transcript.answers) for probe in plan.probes]
    code = None if source is None else read(source, plan.exercise)
    evidence = Evidence(plan, all_answered, code, effort)
    outright = recognising.outright(all_answered, transcript, verdict)
    if outright:
        settled = [recognising.of_derivative(each, evidence, verdict) for each in outright]
        return _with_another(settled, evidence)
    if verdict.status is Status.ERROR:
        return _of_exception(evidence, transcript, verdict)
    return _of_numbers(evidence, transcript, verdict)


def _of_exception(
    evidence: Evidence, transcript: Transcript, verdict: Verdict
) -> Sequence[Suspect]:
    """A name with a proof of its own, else what other calls' numbers show, else `raises`."""
    named = exceptions.named(raised_by(verdict), evidence.code)
    without_numbers = [suspect for suspect in named if not catalogue()[suspect.id].models]
    numbers = verdict.stage != stages.GRADIENTS
    return (
        without_numbers
        or (numbers and explained_by_one(evidence))
        or named
        or (numbers and fits_pattern(evidence, verdict))
        or recognising.likely(evidence.all_answered, transcript, verdict)
        or recognising.raised(evidence.all_answered, transcript, verdict)
    )


def _of_numbers(evidence: Evidence, transcript: Transcript, verdict: Verdict) -> Sequence[Suspect]:
    """Slips that the source shows, then models, then what the symptom fits."""
    numbers = verdict.stage != stages.GRADIENTS
    seen = (evidence.code, evidence.all_answered, verdict)
    return (
        slips.slipped(*seen)
        or (numbers and explained(evidence))
        or slips.may_have_slipped(*seen)
        or recognising.likely(evidence.all_answered, transcript, verdict)
        or (numbers and nearly_explained(evidence))
        or recognising.raised(evidence.all_answered, transcript, verdict)
        or [Suspect(UNRECOGNISED, Match.UNKNOWN)]
    )


def _with_another(outright: Sequence[Suspect], evidence: Evidence) -> Sequence[Suspect]:
    """What is seen at once, with what the numbers show behind it."""
    if not catalogue()[outright[0].id].hides_others:
        return outright
    found = explained(evidence)
    both = len(found) == 2 and all(suspect.together for suspect in found)
    shared = any(suspect.id == outright[0].id for suspect in found)
    return found if both and shared else outright

"""From a failing exercise's answers to the bug's name, the best explanation first.

What an answer says outright (a mutated argument, a call that never returned, a broken
graph) is recognised first; then the models, singles before pairs; what is left has a
symptom and no name.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from attnpack.diagnosis.matching import Effort, Explanation, Search
from attnpack.diagnosis.models import Model
from attnpack.diagnosis.nearest import nearest
from attnpack.diagnosis.observed import Ended
from attnpack.pack.kinds import Plan, Suspect, Verdict
from attnpack.terms import UNRECOGNISED, Backend, Match

from . import recognising, stages
from .bugs import catalogue
from .exercises import exercise as exercise_of
from .fitting import fit
from .observing import is_masked, observe
from .probe import Answered, with_answers
from .steps.styles import STYLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.calls import Transcript

    from .bugs.ways import Fitted, Quantity
    from .exercise import Exercise

MOST_EQUALS = 3


def diagnose(
    plan: Plan, transcript: Transcript, verdict: Verdict, effort: Effort = Effort.SIMPLEST
) -> Sequence[Suspect]:
    """The causes of a verdict that did not pass."""
    all_answered = [with_answers(probe, transcript.answers) for probe in plan.probes]
    outright = recognising.outright(all_answered, transcript, verdict)
    if outright:
        return _with_another(outright, plan, all_answered, effort)
    numbers = verdict.stage != stages.GRADIENTS
    return (
        (numbers and _explained(plan, all_answered, effort))
        or recognising.likely(all_answered, transcript, verdict)
        or (numbers and _nearly_explained(plan, all_answered))
        or recognising.raised(all_answered, transcript, verdict)
        or [Suspect(UNRECOGNISED, Match.UNKNOWN)]
    )


def _with_another(
    outright: Sequence[Suspect], plan: Plan, all_answered: Sequence[Answered], effort: Effort
) -> Sequence[Suspect]:
    """What is seen at once, with what the numbers show behind it."""
    if not catalogue()[outright[0].id].hides_others:
        return outright
    explained = _explained(plan, all_answered, effort)
    both = len(explained) == 2 and all(suspect.together for suspect in explained)
    shared = any(suspect.id == outright[0].id for suspect in explained)
    return explained if both and shared else outright


def _nearly_explained(plan: Plan, all_answered: Sequence[Answered]) -> list[Suspect]:
    """The model that comes nearest, where it comes near enough."""
    models = [
        m for m in models_for(plan, all_answered) if not _contradicted(m.bug, plan, all_answered)
    ]
    pipeline = exercise_of(plan.exercise).pipeline
    found = nearest(pipeline, observe(all_answered), STYLES, is_masked, models)
    by_name: dict[str, Explanation] = {}
    for near in found:
        evidence = Explanation((near.model,), near.style, 1.0 - near.share)
        if near.share == found[0].share:
            by_name.setdefault(near.model.bug, evidence)
    named = list(by_name.items())[:MOST_EQUALS]
    return [Suspect(name, Match.LIKELY, evidence=why) for name, why in named]


def _explained(plan: Plan, all_answered: Sequence[Answered], effort: Effort) -> list[Suspect]:
    search = _search(plan, all_answered)
    if search is None:
        return []
    models = list(models_for(plan, all_answered))
    singles = search.singles(models, effort)
    if singles:
        singles += search.singles(_rarer_equals(singles, models, exercise_of(plan.exercise)))
        by_name: dict[str, Explanation] = {}
        for explanation in singles:
            by_name.setdefault(explanation.bugs[0], explanation)
        named = sorted(by_name, key=lambda name: _contradicted(name, plan, all_answered))
        return [Suspect(name, Match.EXACT, evidence=by_name[name]) for name in named[:MOST_EQUALS]]
    paired = [m for m in models if m.paired and not _contradicted(m.bug, plan, all_answered)]
    return _together(search.pairs(paired))


def _rarer_equals(
    found: Sequence[Explanation], models: Sequence[Model], exercise: Exercise
) -> list[Model]:
    """Ways of writing the bugs that a found one's entry calls its equals."""
    names = {explanation.bugs[0] for explanation in found}
    equals = {e for name in names for e in catalogue()[name].equals_in(exercise)} - names
    return [model for model in models if model.bug in equals]


def _contradicted(name: str, plan: Plan, all_answered: Sequence[Answered]) -> bool:
    """Whether the guest would have noted the bug down and did not: others give its numbers."""
    fact = catalogue()[name].torch_fact
    if not fact or plan.backend is not Backend.TORCH:
        return False
    return not any(
        answer.facts.get(fact) for answered in all_answered for answer in answered.answers
    )


def _together(pairs: Sequence[Explanation]) -> list[Suspect]:
    if not pairs:
        return []
    best = pairs[0]
    return [Suspect(name, Match.EXACT, together=True, evidence=best) for name in best.bugs]


def _search(plan: Plan, all_answered: Sequence[Answered]) -> Search | None:
    observed = observe(all_answered)
    compared = any(answer.ended is Ended.NUMBERS for probe in observed for answer in probe.answers)
    if not compared or not any(probe.wrong for probe in observed):
        return None
    return Search(exercise_of(plan.exercise).pipeline, observed, STYLES, is_masked)


def models_for(plan: Plan, all_answered: Sequence[Answered]) -> Iterator[Model]:
    """Every model that can be written in this exercise, parameters fitted to the answers."""
    estimates: dict[Quantity, list[float]] = {}
    for bug, entry in _entries(plan.exercise, plan.backend):
        if isinstance(entry, Model):
            yield entry
            continue
        if entry.quantity not in estimates:
            estimates[entry.quantity] = fit(entry.quantity, all_answered)
        yield from (replace(entry.make(value), bug=bug) for value in estimates[entry.quantity])


@cache
def _entries(name: str, backend: Backend) -> tuple[tuple[str, Model | Fitted], ...]:
    """What of the catalogue can be written in an exercise; models carry their bug's name."""
    pipeline = exercise_of(name).pipeline
    found: list[tuple[str, Model | Fitted]] = []
    for bug in catalogue().values():
        for entry in bug.models:
            example = entry if isinstance(entry, Model) else entry.make(1.0)
            named = replace(example, bug=bug.id)
            if pipeline.has(named) and written_in(backend, named):
                found.append((bug.id, named if isinstance(entry, Model) else entry))
    return tuple(found)


def written_in(backend: Backend, model: Model) -> bool:
    """Whether code of a backend can hold the bug."""
    backends = catalogue()[model.bug].backends
    if backends and backend not in backends:
        return False
    return not model.tags & ({other.value for other in Backend} - {backend.value})

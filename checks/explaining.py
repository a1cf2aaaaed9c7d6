"""From answers to models: which bugs, acted out, give the learner's numbers.

Where several do, the learner's source settles which is named first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from attnpack.diagnosis.conditional import restricted
from attnpack.diagnosis.matching import Effort, Explanation, Search
from attnpack.diagnosis.models import Model
from attnpack.diagnosis.nearest import nearest
from attnpack.diagnosis.observed import Ended
from attnpack.diagnosis.source_lines import Place
from attnpack.pack.kinds import Plan, Suspect, Verdict
from attnpack.terms import Backend, Match

from .bugs import catalogue
from .code import called, heads
from .conditions import CONDITIONS
from .exercises import exercise as exercise_of
from .fitting import fit
from .observing import is_masked, observe
from .steps.styles import STYLES
from .verdicts import raised_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .bugs.ways import Fitted, Quantity
    from .code import Code
    from .exercise import Exercise
    from .probe import Answered

MOST_EQUALS = 3
COMMON = 1
"""the rarest way of writing a bug that is tried under conditions"""


@dataclass(frozen=True)
class Evidence:
    """All that is known of one failing exercise."""

    plan: Plan
    all_answered: Sequence[Answered]
    code: Code | None = None
    """None where the source is not at hand"""
    effort: Effort = Effort.SIMPLEST

    def shown(self, bug: str) -> Place | None:
        """Where the source shows a bug."""
        fact = catalogue()[bug].shown_by
        return fact(self.code) if fact is not None and self.code is not None else None

    def doubt(self, bug: str) -> int:
        """0 where the source shows the bug, 1 where it says nothing, 2 and 3 against it."""
        if self.contradicted(bug):
            return 3
        if self.code is None or catalogue()[bug].shown_by is None:
            return 1
        return 0 if self.shown(bug) is not None else 2

    def contradicted(self, bug: str) -> bool:
        """Whether the guest would have noted the bug down and did not: others give its numbers."""
        fact = catalogue()[bug].torch_fact
        if not fact or self.plan.backend is not Backend.TORCH:
            return False
        return not any(
            answer.facts.get(fact) for each in self.all_answered for answer in each.answers
        )


def explained(evidence: Evidence) -> list[Suspect]:
    """The single bug that gives every number, under each of its names, or else two together.

    Where no two are found, one that is there under a condition only.
    """
    search = _search(evidence)
    if search is None:
        return []
    models = list(models_for(evidence.plan, evidence.all_answered))
    found = _single(evidence, search, models)
    if found:
        return found
    paired = [m for m in models if m.paired and not evidence.contradicted(m.bug)]
    return _together(search.pairs(paired)) or _behind_a_branch(evidence, search, models)


def _behind_a_branch(evidence: Evidence, search: Search, models: Sequence[Model]) -> list[Suspect]:
    """A bug under a condition: its model gives all that is wrong, the rest is right."""
    common = [m for m in models if m.rank <= COMMON and not evidence.contradicted(m.bug)]
    found = restricted(search.pipeline, search.observed, search.styles, common, CONDITIONS)
    by_name: dict[str, Explanation] = {}
    for one in found:
        by_name.setdefault(one.explanation.bugs[0], one.explanation)
    named = sorted(by_name, key=evidence.doubt)[:MOST_EQUALS]
    return [_placed(Suspect(n, Match.EXACT, evidence=by_name[n]), evidence.shown(n)) for n in named]


def explained_by_one(evidence: Evidence) -> list[Suspect]:
    """The single bug that gives every number; no two are sought."""
    search = _search(evidence)
    if search is None:
        return []
    return _single(evidence, search, list(models_for(evidence.plan, evidence.all_answered)))


def fits_pattern(evidence: Evidence, verdict: Verdict) -> list[Suspect]:
    """A bug that raises on just the calls on which the learner's code raised.

    Likely where the source shows the bug in the line that raised: exceptions prove no numbers.
    """
    raised = raised_by(verdict)
    if raised is None or not raised.frames or evidence.code is None:
        return []
    last = raised.frames[-1]
    statement = evidence.code.statement(Place(last.file, last.line))
    operations = {called(node) for node in heads(statement)} if statement is not None else set()
    shown = [
        bug.id
        for bug in catalogue().values()
        if operations & set(bug.raises_in) or (bug.raises_in and evidence.shown(bug.id))
    ]
    observed = observe(evidence.all_answered)
    exercise = evidence.plan.exercise
    models = [m for m in models_for(evidence.plan, evidence.all_answered) if m.bug in shown]
    if not models or not any(
        call.ended is Ended.NUMBERS for probe in observed for call in probe.answers
    ):
        return []
    search = Search(exercise_of(exercise).pipeline, observed, STYLES, is_masked)
    found = search.singles(models)
    return [Suspect(found[0].bugs[0], Match.LIKELY, evidence=found[0])] if found else []


def nearly_explained(evidence: Evidence) -> list[Suspect]:
    """The model that comes nearest, where it comes near enough."""
    plan, all_answered = evidence.plan, evidence.all_answered
    models = [m for m in models_for(plan, all_answered) if not evidence.contradicted(m.bug)]
    found = nearest(
        exercise_of(plan.exercise).pipeline, observe(all_answered), STYLES, is_masked, models
    )
    by_name: dict[str, Explanation] = {}
    for near in found:
        why = Explanation((near.model,), near.style, 1.0 - near.share)
        if near.share == found[0].share:
            by_name.setdefault(near.model.bug, why)
    named = list(by_name.items())[:MOST_EQUALS]
    return [Suspect(name, Match.LIKELY, evidence=why) for name, why in named]


def _single(evidence: Evidence, search: Search, models: Sequence[Model]) -> list[Suspect]:
    singles = search.singles(models, evidence.effort)
    if not singles:
        return []
    singles += search.singles(_rarer_equals(singles, models, exercise_of(evidence.plan.exercise)))
    by_name: dict[str, Explanation] = {}
    for explanation in singles:
        by_name.setdefault(explanation.bugs[0], explanation)
    named = sorted(by_name, key=evidence.doubt)[:MOST_EQUALS]
    first = by_name[named[0]]
    if _holds_two(first, search, models):
        return _written_at_once(first)
    match = Match.EXACT if _numbers_are_wrong(search) else Match.LIKELY
    return [_placed(Suspect(n, match, evidence=by_name[n]), evidence.shown(n)) for n in named]


def _holds_two(first: Explanation, search: Search, models: Sequence[Model]) -> bool:
    """Whether every way of writing the bug that gives the numbers holds the same second bug."""
    also = first.models[0].also
    if not also:
        return False
    others = [m for m in models if m.bug == first.bugs[0] and m.also != also]
    return not search.singles(others)


def _written_at_once(explanation: Explanation) -> list[Suspect]:
    """One model that holds two bugs."""
    model = explanation.models[0]
    second = replace(explanation, models=(replace(model, bug=model.also),))
    return [
        Suspect(why.bugs[0], Match.EXACT, together=True, evidence=why)
        for why in (explanation, second)
    ]


def _placed(suspect: Suspect, place: Place | None) -> Suspect:
    return suspect if place is None else replace(suspect, file=place.file, line=place.line)


def _numbers_are_wrong(search: Search) -> bool:
    """Whether some wrong call gave numbers: an exception alone proves no model."""
    return any(
        call.wrong and call.ended is Ended.NUMBERS
        for probe in search.observed
        for call in probe.answers
    )


def _rarer_equals(
    found: Sequence[Explanation], models: Sequence[Model], exercise: Exercise
) -> list[Model]:
    """Ways of writing the bugs that a found one's card calls its equals."""
    names = {explanation.bugs[0] for explanation in found}
    equals = {equal for name in names for equal in catalogue()[name].equals_in(exercise)} - names
    return [model for model in models if model.bug in equals]


def _together(pairs: Sequence[Explanation]) -> list[Suspect]:
    if not pairs:
        return []
    best = pairs[0]
    return [Suspect(name, Match.EXACT, together=True, evidence=best) for name in best.bugs]


COMPARED = (Ended.NUMBERS, Ended.OVERFLOWED)


def _search(evidence: Evidence) -> Search | None:
    """None where no wrong call gave something that a model can be compared with."""
    observed = observe(evidence.all_answered)
    if not any(
        call.wrong and call.ended in COMPARED for probe in observed for call in probe.answers
    ):
        return None
    exercise = evidence.plan.exercise
    return Search(exercise_of(exercise).pipeline, observed, STYLES, is_masked)


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

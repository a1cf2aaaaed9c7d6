"""The place of a bug, proven: the expression whose right value mends every answer.

What is asked of a guest is yielded, and its answers are sent in; nothing here calls anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from attnpack.diagnosis import entrances
from attnpack.diagnosis.places.search import Before, Replacement, guiltiest, operands_first
from attnpack.diagnosis.places.sites import sites_of
from attnpack.diagnosis.source_lines import definition
from attnpack.terms import Proof

from . import stages
from .bugs import catalogue
from .modelled import innocence
from .pointing import Pointing

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from attnpack.calls import Transcript
    from attnpack.diagnosis.models import Model
    from attnpack.diagnosis.places.sites import Sites
    from attnpack.pack.kinds import Ask, Place, Plan, Source, Suspect, Verdict

MOST_VERIFIED = 5

Asking: TypeAlias = "Generator[Ask, Transcript, Place | None]"


def places(
    plan: Plan,
    transcript: Transcript,
    verdict: Verdict,
    suspects: Sequence[Suspect],
    source: Source,
) -> Generator[Ask, Transcript, Sequence[Suspect]]:
    """The same suspects with their places: of two bugs each under the other one's model."""
    spans = definition(source, plan.exercise)
    never_got_in = entrances.place_of(verdict.answer or transcript.loaded, spans) is not None
    if verdict.stage == stages.GRADIENTS or never_got_in:
        return suspects
    sites = sites_of(source.files, list(source.others))
    placed: list[Suspect] = []
    shared: Place | None = None
    for number, suspect in enumerate(suspects):
        if suspect.together:
            models = [*suspect.evidence.models, suspect.evidence.style]
            others = [model for model in models if model.bug != suspect.id]
            found = yield from place(plan, transcript, verdict, sites, others, _own_model(suspect))
        elif number == 0:
            model = _own_model(suspect)
            shared = found = yield from place(plan, transcript, verdict, sites, model=model)
        else:
            found = shared  # other names for the same numbers
        placed.append(_with_place(suspect, found))
    return placed


def _own_model(suspect: Suspect) -> Model | None:
    models = () if suspect.evidence is None else suspect.evidence.models
    return next((model for model in models if model.bug == suspect.id), None)


def _with_place(suspect: Suspect, found: Place | None) -> Suspect:
    """A line that was found by what the name says is kept; by the numbers alone, the place's."""
    if found is None:
        return suspect
    where = catalogue()[suspect.id].where
    by_numbers = suspect.evidence is not None or where.symptom
    mends = found.proof is Proof.REPLACED or bool(found.right)
    fails_there = found.proof is Proof.STATED and (where.symptom or bool(found.right))
    moved = (mends and by_numbers) or fails_there
    if moved or suspect.line in (None, found.span.line):
        return replace(suspect, file=found.span.file, line=found.span.line, place=found)
    return suspect


def place(
    plan: Plan,
    transcript: Transcript,
    verdict: Verdict,
    sites: Sites,
    models: Sequence[Model] = (),
    model: Model | None = None,
) -> Asking:
    """Find the guilty expression; `models` are those of other bugs, which stay as they are.

    `model` is the bug's own, where it is known: it says which steps are wrong.
    """
    placing = Pointing(plan, transcript, sites, tuple(models))
    lacking = placing.lacking(verdict, model)
    if lacking is not None:
        return lacking
    chosen = placing.chosen(verdict)
    if chosen is None:
        return placing.stated(verdict.answer or transcript.loaded, ())
    innocent = innocence(chosen, model, placing.newly_made(chosen, model))
    seen = yield placing.asking(placing.seen_questions(chosen))
    mending: list[Replacement] = []
    for shapes in placing.shapes(chosen, seen):
        tried = placing.replacements(chosen, seen, shapes, model)
        if tried and not mending:
            answers = yield placing.asking(placing.all_replaced(tried, [chosen]))
            mending = placing.mending(tried, [chosen], answers)
    screens = placing.screens(chosen)
    if mending and screens:
        answers = yield placing.asking(placing.all_replaced(mending, screens))
        mending = placing.mending(mending, screens, answers)
    ordered = guiltiest(mending, innocent)
    inside = placing.inside(chosen, seen, ordered)
    if inside:
        answers = yield placing.asking(placing.all_replaced(inside, [chosen, *screens]))
        ordered = guiltiest(
            [*mending, *placing.mending(inside, [chosen, *screens], answers)], innocent
        )
    raised = placing.raised_at(chosen, seen)
    if ordered and raised is not None:
        ordered = operands_first(ordered, raised)
        if not raised.holds(ordered[0].one.site.span):
            if ordered[0].before is Before.RIGHT:
                return placing.unproven(verdict, chosen, seen)  # it was used without the step
            if placing.raised_within(ordered[0], chosen, seen):
                again = yield placing.asking(placing.seen_with(ordered[0], chosen))
                if not placing.went_well(chosen, seen, again):
                    return placing.unproven(verdict, chosen, seen)  # it was made of right values
    for best in ordered[:MOST_VERIFIED]:
        answers = yield placing.asking(placing.whole_plan(best))
        count = placing.all_right(answers)
        if count:
            found = placing.made(best, chosen, seen, mending, model)
            return replace(found, right=best.waypoint.name, answers=count)
    return placing.unproven(verdict, chosen, seen)

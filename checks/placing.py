"""The place of a bug, proven: the expression whose right value mends every answer.

What is asked of a guest is yielded, and its answers are sent in; nothing here calls anything.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attnpack.calls import (
    Answer,
    Build,
    Call,
    Fill,
    Forward,
    Instead,
    Outcome,
    Question,
    Transcript,
)
from attnpack.diagnosis.observed import Ended, residual
from attnpack.diagnosis.places.bindings import bound_instead, end_of, made_at_top, misbound
from attnpack.diagnosis.places.search import (
    Before,
    Evaluated,
    Replacement,
    Shapes,
    evaluated,
    first_unknown,
    guiltiest,
    may_be_inside,
    replacements,
    used_without,
)
from attnpack.diagnosis.places.sites import sites_of
from attnpack.guest.seeing.sites import Span
from attnpack.pack.kinds import Ask, Place
from attnpack.terms import Match, Proof, Status

from . import stages
from .draft import OWN_RULES, Tag
from .judging import judge
from .observing import observe
from .probe import Answered, Probe, with_answers
from .steps.right import nothing
from .tracing import Chosen, preferred, wrong_calls
from .waypoints import SERIES, waypoints

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from attnpack.diagnosis.models import Model
    from attnpack.diagnosis.places.sites import Sites
    from attnpack.diagnosis.places.waypoints import Waypoint
    from attnpack.guest.seeing.sites import Site
    from attnpack.pack.kinds import Plan, Source, Suspect, Verdict

SCREENS = 6
"""calls on which every replacement that mends the first is tried"""
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
    sites = sites_of(source.files, list(source.others))
    if verdict.stage == stages.GRADIENTS:
        return suspects
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
    if found is None:
        return suspect
    seen_outright = suspect.match is Match.EXACT and suspect.evidence is None
    moved = found.proof is Proof.REPLACED and not seen_outright
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
    placing = Placing(plan, transcript, sites, tuple(models))
    lacking = placing.lacking(verdict)
    if lacking is not None:
        return lacking
    chosen = placing.chosen(verdict)
    if chosen is None:
        return placing.stated(verdict.answer or transcript.loaded, ())
    seen = yield placing.asking(placing.seen_questions(chosen))
    mending: list[Replacement] = []
    for shapes in placing.shapes(chosen, seen):
        tried = placing.replacements(chosen, seen, shapes)
        tried = [one for one in tried if _concerns(one, model, chosen.probe)]
        if tried and not mending:
            answers = yield placing.asking(placing.all_replaced(tried, [chosen]))
            mending = placing.mending(tried, [chosen], answers)
    screens = placing.screens(chosen)
    if mending and screens:
        answers = yield placing.asking(placing.all_replaced(mending, screens))
        mending = placing.mending(mending, screens, answers)
    ordered = guiltiest(mending)
    inside = placing.inside(chosen, seen, ordered)
    if inside:
        answers = yield placing.asking(placing.all_replaced(inside, [chosen, *screens]))
        ordered = guiltiest(mending + placing.mending(inside, [chosen, *screens], answers))
    if ordered and placing.raised_after(ordered[0], chosen, seen):
        again = yield placing.asking(placing.seen_with(ordered[0], chosen))
        if not placing.went_well(chosen, seen, again):
            return placing.unproven(verdict, chosen, seen)  # it was made of right values
    for best in ordered[:MOST_VERIFIED]:
        answers = yield placing.asking(placing.whole_plan(best))
        count = placing.all_right(answers)
        if count:
            used = used_without(best, mending)
            found = placing.placed(placing.origin(best.one.site), Proof.REPLACED)
            end = None if used is None else used.span
            return replace(found, right=best.waypoint.name, answers=count, used=end)
    return placing.unproven(verdict, chosen, seen)


def _concerns(one: Replacement, model: Model | None, probe: Probe) -> bool:
    """Whether a right value belongs to a step that the model replaces, or is what goes into it."""
    if model is None or one.waypoint.position < 0:
        return True
    places = [probe.exercise.pipeline.positions[name] for name in model.replaces]
    before = [p for p in range(min(places)) if probe.exercise.pipeline.steps[p][1] is not nothing]
    return max(before, default=0) <= one.waypoint.position <= max(places)


def _telling(chosen: Chosen) -> tuple[bool, bool, int, int]:
    """Sorts calls: moderate numbers first, then shapes with no two axes alike and none of 1."""
    extreme, recovers, _, stage = preferred(chosen)
    call = chosen.probe.calls[chosen.index]
    shapes = [array.shape for array in call.values() if isinstance(array, np.ndarray)]
    same = sum(len(shape) - len(set(shape)) + 2 * shape.count(1) for shape in shapes)
    if call.get("seq_len", 3) < 3:
        same += 2
    if call.get("num_heads") == 1:
        same += 2
    elif "num_heads" in call:
        same += call["num_heads"] in shapes[0] or call["d_model"] // call["num_heads"] in shapes[0]
    return extreme, recovers, same, stage


@dataclass
class Placing:
    """One failing exercise: which calls show it, and whether other answers would be right."""

    plan: Plan
    transcript: Transcript
    sites: Sites | None
    models: tuple[Model, ...] = ()
    _right: dict[tuple[str, int], list[Waypoint]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        answers = self.transcript.answers
        self._everything = [with_answers(probe, answers) for probe in self.plan.probes]
        self._probes = {one.probe.key: one.probe for one in self._everything}
        self._loose = False

    def asking(self, questions: Iterable[Question]) -> Ask:
        """What is asked of a guest whose sites are hooked."""
        return Ask(tuple(questions), seen=None if self.sites is None else self.sites.seen)

    def chosen(self, verdict: Verdict) -> Chosen | None:
        """The call to look at: wrong, moderate, with sizes that tell axes apart."""
        wrong = sorted(wrong_calls(self._everything), key=_telling)
        if self.models:
            wrong = [chosen for chosen in wrong if not self.is_right(chosen, self.transcript)]
        if wrong:
            return wrong[0]
        shown = [p for p in self._probes.values() if (verdict.probe or "").startswith(p.key)]
        return Chosen(shown[0], 0, judged_whole=True) if shown and shown[0].calls else None

    @property
    def probes(self) -> Sequence[Probe]:
        """All of the plan's."""
        return list(self._probes.values())

    def screens(self, chosen: Chosen) -> list[Chosen]:
        """Calls of other kinds, wrong and right ones."""
        found: dict[tuple[str, bool], Chosen] = {}
        for one in observe(self._everything):
            for index, came in enumerate(one.answers):
                call = Chosen(self._probes[one.key], index)
                kind = (one.key.split("/")[0], came.wrong)
                if came.ended is not Ended.UNKNOWN and call.key != chosen.key:
                    found.setdefault(kind, call)
        return list(found.values())[:SCREENS]

    def seen_questions(self, chosen: Chosen) -> Iterator[Question]:
        """The probe up to the chosen call; what is built and that call are seen."""
        for question in chosen.probe.questions():
            if question.key == chosen.key:
                assert isinstance(question, Call | Forward)
                yield replace(question, see=True, cotangents=None)
                return
            yield replace(question, see=True) if isinstance(question, Build) else question

    def _evaluated(self, chosen: Chosen, seen: Transcript) -> list[Evaluated]:
        built = seen.answers.get(f"{chosen.probe.key}/build")
        called = seen.answers.get(chosen.key)
        values = [() if answer is None else answer.seen for answer in (built, called)]
        return [] if self.sites is None else evaluated(values[0], values[1], self.sites)

    def lacking(self, verdict: Verdict) -> Place | None:
        """Where an object should have kept a parameter that it has not."""
        for one in self._everything:
            missing = () if one.build is None else one.build.facts.get("missing", ())
            if not missing or self.sites is None or verdict.stage != stages.SHAPES:
                continue
            built = next(q for q in one.probe.questions() if isinstance(q, Build))
            for file, text in self.sites.texts.items():
                span = misbound(text, file, built.cls, list(built.parameters), missing[0])
                if span is not None:
                    return self.placed(span, Proof.STATED)
        return None

    def seen_with(self, one: Replacement, chosen: Chosen) -> Iterator[Question]:
        """The chosen call with a replacement, seen."""
        for question in self._replaced(chosen, one, ""):
            if isinstance(question, Call | Forward) and question.key == chosen.key:
                yield replace(question, see=True)
            else:
                yield question

    def went_well(self, chosen: Chosen, before: Transcript, after: Transcript) -> bool:
        """Whether what raised in one run was evaluated in another."""
        answer, again = before.answers.get(chosen.key), after.answers.get(chosen.key)
        raised = None if answer is None else self.stated(answer, ())
        if raised is None or again is None or self.sites is None:
            return False
        sites = (self.sites[value.site] for value in again.seen)
        return any(site is not None and site.span == raised.span for site in sites)

    def raised_after(self, best: Replacement, chosen: Chosen, seen: Transcript) -> bool:
        """Whether what raised was made of right values, or raised where a condition let it."""
        answer = seen.answers.get(chosen.key)
        if answer is None or answer.raised is None:
            return False
        if not best.one.is_condition:
            return best.before is Before.RIGHT
        block = best.one.site.block
        frames = answer.raised.frames
        return any(f.file == block.file and block.line < f.line <= block.end_line for f in frames)

    def unproven(self, verdict: Verdict, chosen: Chosen, seen: Transcript) -> Place | None:
        """Where no replacement mends: what raised, or the first array that no right run has."""
        every = self._evaluated(chosen, seen)
        if verdict.answer is not None and verdict.answer.raised is not None:
            return self.stated(verdict.answer, every)
        right = self._waypoints(chosen.probe, chosen.index)
        answer = seen.answers.get(chosen.key)
        if answer is not None and answer.form == "none":
            return self._end()
        unknown = first_unknown(every, right, SERIES)
        if unknown is not None:
            return self.placed(unknown.site.span, Proof.TRACED)
        raised = next((a for a in seen.answers.values() if a.raised is not None), None)
        return self._end() if raised is None else self.stated(raised, every)

    def _bound_instead(self, span: Span) -> Span | None:
        if self.sites is None:
            return None
        text = self.sites.texts.get(span.file, "")
        contract = self.probes[0].exercise.takes.positional
        return bound_instead(text, span.file, span.line, self.sites.text(span), contract)

    def _end(self) -> Place | None:
        """Where a function that returns nothing ends."""
        for file, text in () if self.sites is None else self.sites.texts.items():
            span = end_of(text, file, (self.plan.exercise, "forward"))
            if span is not None:
                return self.placed(span, Proof.STATED)
        return None

    def origin(self, site: Site) -> Span:
        """Of a name that is bound once at the top of the file, the value that it is bound to."""
        text = "" if self.sites is None else self.sites.texts.get(site.span.file, "")
        top = made_at_top(text, site.span.file, site.text) if site.form is ast.Name else None
        return top or site.span

    def placed(self, span: Span, proof: Proof) -> Place:
        """A place with its text."""
        if self.sites is None:
            return Place(span, "", proof)
        return Place(span, self.sites.text(span), proof, self.sites.first_line(span))

    def stated(self, answer: Answer, every: Sequence[Evaluated]) -> Place | None:
        """The expression that raised, or the call of a helper that had gone well before."""
        raised = answer.raised or answer.backward_raised
        fine = {one.site.span for one in every}
        frames = () if raised is None else raised.frames
        for frame in reversed(frames):
            if frame.column is None or frame.end_line is None or frame.end_column is None:
                continue
            span = Span(frame.file, frame.line, frame.column, frame.end_line, frame.end_column)
            if self.sites is not None and self.sites.is_another(span):
                continue
            if raised is not None and raised.type in ("NameError", "UnboundLocalError"):
                span = self._bound_instead(span) or span
            if span not in fine or frame is frames[0]:
                return self.placed(span, Proof.STATED)
        return None

    def shapes(self, chosen: Chosen, seen: Transcript) -> Sequence[Shapes]:
        """Values of other shapes are only tried where a result has another shape, or none."""
        if chosen.probe.tags & OWN_RULES:
            return (Shapes.SAME,)
        answer = seen.answers.get(chosen.key)
        expected = [array.shape for array in chosen.probe.expected_results[chosen.index]]
        came = () if answer is None else answer.arrays
        shaped = [None if array is None else array.shape for array in came] == expected
        return (Shapes.SAME,) if shaped else tuple(Shapes)

    def replacements(self, chosen: Chosen, seen: Transcript, shapes: Shapes) -> list[Replacement]:
        """What could be given to what, judging by one call."""
        right = self._waypoints(chosen.probe, chosen.index)
        return replacements(self._evaluated(chosen, seen), right, SERIES, shapes)

    def inside(
        self, chosen: Chosen, seen: Transcript, ordered: Sequence[Replacement]
    ) -> list[Replacement]:
        """Values of other shapes that are made because a condition holds."""
        right = self._waypoints(chosen.probe, chosen.index)
        every = may_be_inside(ordered, self._evaluated(chosen, seen))
        return replacements(every, right, SERIES, Shapes.OTHER)

    def all_replaced(self, tried: Sequence[Replacement], calls: Sequence[Chosen]) -> list[Question]:
        """Each replacement on each of the calls."""
        questions: list[Question] = []
        for place, chosen in enumerate(calls):
            alone = chosen.index > 0 or not chosen.probe.is_class
            if not alone:
                made = [q for q in chosen.probe.questions() if isinstance(q, Build | Fill)]
                questions += [replace(q, key=f"{place}|{q.key}") for q in made[:2]]
            # What builds the object anew comes last: the others share it.
            order = sorted(enumerate(tried), key=lambda each: each[1].one.in_constructor)
            for number, one in order:
                replaced = self._replaced(chosen, one, f"{number}|")
                built = alone or one.one.in_constructor
                kept = [q for q in replaced if built or isinstance(q, Forward)]
                questions += [replace(q, key=f"{place}|{q.key}") for q in kept]
        return questions

    def _replaced(self, chosen: Chosen, one: Replacement, prefix: str) -> Iterator[Question]:
        indices = iter(range(len(chosen.probe.calls)))
        for question in chosen.probe.questions():
            renamed = self._given(question, chosen.probe, indices, one)
            yield replace(renamed, key=f"{prefix}{question.key}")
            if question.key == chosen.key:
                return

    def _given(
        self, question: Question, probe: Probe, indices: Iterator[int], one: Replacement
    ) -> Question:
        if not isinstance(question, Call | Forward | Build):
            return question
        index = 0 if isinstance(question, Build) else next(indices)
        right = {waypoint.name: waypoint for waypoint in self._waypoints(probe, index)}
        instead = Instead(one.one.site.number, one.rule.values(right), one.one.part)
        if isinstance(question, Build):
            return replace(question, instead=instead)
        return replace(question, instead=instead, cotangents=None)

    def mending(
        self, tried: Sequence[Replacement], calls: Sequence[Chosen], answers: Transcript
    ) -> list[Replacement]:
        """Those with which every one of the calls is right."""
        return [
            one
            for number, one in enumerate(tried)
            if all(
                self.is_right(chosen, answers, f"{place}|{number}|")
                for place, chosen in enumerate(calls)
            )
        ]

    def is_right(self, chosen: Chosen, transcript: Transcript, prefix: str = "") -> bool:
        """Whether an answer to a call is right, or what it is with the other bugs alone."""
        if chosen.judged_whole or chosen.probe.tags & OWN_RULES:
            return self._passes(chosen.probe, transcript, prefix)
        answer = transcript.answers.get(f"{prefix}{chosen.key}")
        if answer is None or answer.outcome is not Outcome.RETURNED:
            return False
        call = replace(
            chosen.probe,
            calls=chosen.probe.calls[chosen.index : chosen.index + 1],
            tags=chosen.probe.tags - {Tag.UNDERFLOW},
        )
        came = observe([Answered(call, (answer,))])[0].answers[0]
        if came.ended is not Ended.NUMBERS:
            return False
        if not self.models:
            return not came.wrong
        with np.errstate(all="ignore"):
            state = {"mask": None, **chosen.probe.calls[chosen.index]}
            results = chosen.probe.exercise.pipeline.run(state, self.models)["results"]
        return residual(results, came) is not None

    def _passes(self, probe: Probe, transcript: Transcript, prefix: str) -> bool:
        questions = tuple(probe.questions())
        keys = {f"{prefix}{question.key}": question.key for question in questions}
        answers = {
            keys[key]: replace(answer, key=keys[key])
            for key, answer in transcript.answers.items()
            if key in keys
        }
        alone = replace(self.plan, questions=questions, probes=(probe,))
        verdicts = judge(alone, replace(transcript, answers=answers)).verdicts
        return all(verdict.status is Status.PASSED for verdict in verdicts)

    def whole_plan(self, one: Replacement) -> list[Question]:
        """Every question of the plan, with the replacement."""
        questions: list[Question] = []
        for probe in self._probes.values():
            indices = iter(range(len(probe.calls)))
            questions += [self._given(q, probe, indices, one) for q in probe.questions()]
        return questions

    def all_right(self, answers: Transcript) -> int:
        """How many answers there are, if the checks find nothing wrong with any of them; else 0."""
        calls = [
            Chosen(probe, i) for probe in self._probes.values() for i in range(len(probe.calls))
        ]
        if self.models:
            observed = {key.key for key in observe(self._everything)}
            judged = [chosen for chosen in calls if chosen.probe.key in observed]
            right = all(self.is_right(chosen, answers) for chosen in judged)
            return len(judged) if right else 0
        verdicts = judge(self.plan, answers).verdicts
        failing = next((v for v in verdicts if v.status is not Status.PASSED), None)
        # A value that is given is a number like any other: no gradient goes through it.
        right = failing is None or failing.stage == stages.GRADIENTS
        return len(calls) if right else 0

    def _waypoints(self, probe: Probe, index: int) -> list[Waypoint]:
        key = (probe.key, index)
        if key not in self._right:
            try:
                self._right[key] = waypoints(probe, index, self.models)
            except (ValueError, TypeError, KeyError, IndexError):
                self._right[
                    key
                ] = []  # a probe that has no right run, as of heads that do not divide
        return self._right[key]

"""Asked of one failing exercise: its values seen, right ones put in their place, all judged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Build, Call, Fill, Forward, Instead, Outcome, Question
from attnpack.diagnosis.observed import Ended, residual
from attnpack.diagnosis.places.search import (
    Evaluated,
    Replacement,
    Shapes,
    evaluated,
    may_be_inside,
    replacements,
)
from attnpack.pack.kinds import Ask
from attnpack.terms import Status

from . import stages
from .draft import OWN_RULES, Tag
from .judging import judge
from .modelled import any_of, concerned, newly_made
from .observing import observe
from .probe import Answered, Probe, with_answers
from .tracing import Chosen, preferred, wrong_calls
from .waypoints import SERIES, waypoints

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from attnpack.calls import Transcript
    from attnpack.diagnosis.models import Model
    from attnpack.diagnosis.places.sites import Sites
    from attnpack.diagnosis.places.waypoints import Waypoint
    from attnpack.pack.kinds import Plan, Verdict

SCREENS = 6
"""calls on which every replacement that mends the first is tried"""


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
class Replacing:
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

    def newly_made(self, chosen: Chosen, model: Model | None) -> list[Waypoint]:
        """What the bug's own steps make on a call that no right run has."""
        return newly_made(chosen, model, self.models, self.waypoints(chosen.probe, chosen.index))

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

    def evaluated_in(self, chosen: Chosen, seen: Transcript) -> list[Evaluated]:
        """Every value of what is built and of the chosen call, as they were seen."""
        built = seen.answers.get(f"{chosen.probe.key}/build")
        called = seen.answers.get(chosen.key)
        values = [() if answer is None else answer.seen for answer in (built, called)]
        return [] if self.sites is None else evaluated(values[0], values[1], self.sites)

    def seen_with(self, one: Replacement, chosen: Chosen) -> Iterator[Question]:
        """The chosen call with a replacement, seen."""
        for question in self._replaced(chosen, one, ""):
            if isinstance(question, Call | Forward) and question.key == chosen.key:
                yield replace(question, see=True)
            else:
                yield question

    def shapes(self, chosen: Chosen, seen: Transcript) -> Sequence[Shapes]:
        """Values of other shapes are only tried where a result has another shape, or none."""
        if chosen.probe.tags & OWN_RULES:
            return (Shapes.SAME,)
        answer = seen.answers.get(chosen.key)
        expected = [array.shape for array in chosen.probe.expected_results[chosen.index]]
        came = () if answer is None else answer.arrays
        shaped = [None if array is None else array.shape for array in came] == expected
        return (Shapes.SAME,) if shaped else tuple(Shapes)

    def replacements(
        self, chosen: Chosen, seen: Transcript, shapes: Shapes, model: Model | None
    ) -> list[Replacement]:
        """What could be given to what, judging by one call."""
        right = self.waypoints(chosen.probe, chosen.index)
        belongs = concerned(model, chosen.probe)
        return replacements(self.evaluated_in(chosen, seen), right, SERIES, shapes, belongs)

    def inside(
        self, chosen: Chosen, seen: Transcript, ordered: Sequence[Replacement]
    ) -> list[Replacement]:
        """Values of other shapes that are made because a condition holds."""
        right = self.waypoints(chosen.probe, chosen.index)
        every = may_be_inside(ordered, self.evaluated_in(chosen, seen))
        return replacements(every, right, SERIES, Shapes.OTHER, any_of)

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
        right = {waypoint.name: waypoint for waypoint in self.waypoints(probe, index)}
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

    def waypoints(self, probe: Probe, index: int) -> list[Waypoint]:
        """The values of a right run of one call, the other bugs left as they are."""
        key = (probe.key, index)
        if key not in self._right:
            try:
                self._right[key] = waypoints(probe, index, self.models)
            except (ValueError, TypeError, KeyError, IndexError):
                self._right[
                    key
                ] = []  # a probe that has no right run, as of heads that do not divide
        return self._right[key]

"""Which expression is pointed at: what made the wrong value, or what no replacement decides."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Build
from attnpack.diagnosis.places.bindings import (
    bound_instead,
    end_of,
    made_at_top,
    misbound,
    never_read,
)
from attnpack.diagnosis.places.origins import first_having, last_on_its_way, not_entered, origin
from attnpack.diagnosis.places.search import (
    Before,
    Evaluated,
    Replacement,
    first_unknown,
    operand_within,
    used_without,
)
from attnpack.diagnosis.places.waypoints import alike
from attnpack.guest.seeing.sites import Span, Whole
from attnpack.pack.kinds import Place
from attnpack.terms import Proof

from . import stages
from .replacing import Replacing
from .verdicts import describe_call
from .waypoints import SERIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Answer, Transcript
    from attnpack.diagnosis.models import Model
    from attnpack.guest.seeing.sites import Site
    from attnpack.pack.kinds import Verdict

    from .probe import Answered
    from .tracing import Chosen

PROJECT = "project"
"""the step that uses the parameters"""


@dataclass
class Pointing(Replacing):
    """One failing exercise, and where in its code."""

    def lacking(self, verdict: Verdict, model: Model | None) -> Place | None:
        """Where an object should have kept a parameter that it has not, or has in another size."""
        for one in self._everything:
            named = "" if one.build is None else _ill_kept(one, one.build, verdict, model)
            built = next((q for q in one.probe.questions() if isinstance(q, Build)), None)
            if not named or built is None or self.sites is None:
                continue
            for file, text in self.sites.texts.items():
                span = misbound(text, file, built.cls, list(built.parameters), named)
                if span is not None:
                    return replace(self.placed(span, Proof.STATED), right=named)
        return None

    def went_well(self, chosen: Chosen, before: Transcript, after: Transcript) -> bool:
        """Whether what raised in one run was evaluated in another."""
        answer, again = before.answers.get(chosen.key), after.answers.get(chosen.key)
        raised = None if answer is None else self.stated(answer, ())
        if raised is None or again is None or self.sites is None:
            return False
        sites = (self.sites[value.site] for value in again.seen)
        return any(site is not None and site.span == raised.span for site in sites)

    def raised_at(self, chosen: Chosen, seen: Transcript) -> Span | None:
        """The expression of the learner's that raised in a call, where one did."""
        answer = seen.answers.get(chosen.key)
        place = None if answer is None or answer.raised is None else self.stated(answer, ())
        return None if place is None else place.span

    def raised_within(self, best: Replacement, chosen: Chosen, seen: Transcript) -> bool:
        """Whether what raised was let happen by the condition that a replacement changes."""
        answer = seen.answers.get(chosen.key)
        if answer is None or answer.raised is None or not best.one.is_condition:
            return False
        block = best.one.site.block
        frames = answer.raised.frames
        return any(f.file == block.file and block.line < f.line <= block.end_line for f in frames)

    def unproven(self, verdict: Verdict, chosen: Chosen, seen: Transcript) -> Place | None:
        """Where no replacement mends: what raised, or the first array that no right run has."""
        every = self.evaluated_in(chosen, seen)
        if verdict.answer is not None and verdict.answer.raised is not None:
            return self.stated(verdict.answer, every)
        right = self.waypoints(chosen.probe, chosen.index)
        answer = seen.answers.get(chosen.key)
        if answer is not None and answer.form == "none":
            return self._end()
        returned = self._returned(chosen, answer, every)
        if returned is not None:
            return self.placed(returned.site.span, Proof.STATED)
        unknown = first_unknown(every, right, SERIES)
        if unknown is not None:
            return self.placed(unknown.site.span, Proof.TRACED)
        raised = next((a for a in seen.answers.values() if a.raised is not None), None)
        return self._end() if raised is None else self.stated(raised, every)

    def _returned(
        self, chosen: Chosen, answer: Answer | None, every: Sequence[Evaluated]
    ) -> Evaluated | None:
        """What a call returned, where that is not as many arrays as were asked for."""
        expected = len(chosen.probe.exercise.results)
        if answer is None or answer.raised is not None or len(answer.arrays) == expected:
            return None
        returned = [one for one in every if one.site.whole is Whole.RETURNED]
        least = min((one.depth for one in returned), default=0)
        return next((one for one in reversed(returned) if one.depth == least), None)

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

    def made(
        self,
        best: Replacement,
        chosen: Chosen,
        seen: Transcript,
        mending: Sequence[Replacement],
        model: Model | None,
    ) -> Place:
        """The place of a replacement that mends everything: of what made the wrong value."""
        every = self.evaluated_in(chosen, seen)
        right = self.waypoints(chosen.probe, chosen.index)
        assert self.sites is not None
        own = operand_within(best, mending)
        modelled = self.newly_made(chosen, model)
        earlier = [one for one in every if one.order < own.one.order]
        first = first_having(earlier, modelled, SERIES) if modelled else None
        if first is None and model is not None and not modelled:
            first = self.on_its_way(chosen, earlier, model, own)
        if first is not None:
            return self.placed(first.site.span, Proof.TRACED)
        if own.before is Before.RIGHT:
            skipped = not_entered(own, mending, every, self.sites)
            if skipped is not None:
                return self.placed(skipped.site.span, Proof.TRACED)
        unread = self._never_read(chosen) if own.before is Before.RIGHT else None
        if unread is not None:
            return self.placed(unread, Proof.STATED)
        maker = origin(own, every, right, SERIES, self.sites)
        used = used_without(own, mending) if maker is own.one else None
        span = self.origin(own.one.site) if maker is own.one else maker.site.span
        found = self.placed(span, Proof.REPLACED if maker is own.one else Proof.TRACED)
        shown = self._shown(own, found, chosen)
        return replace(shown, used=None if used is None else used.span)

    def _shown(self, own: Replacement, place: Place, chosen: Chosen) -> Place:
        """The place with the first wrong value that was seen, and the right one."""
        right = {each.name: each for each in self.waypoints(chosen.probe, chosen.index)}
        pairs = list(zip(own.one.values, own.rule.values(right), strict=False))
        wrong = [pair for pair in pairs if not alike(*pair, own.waypoint.allowed)]
        call = describe_call(chosen.probe, chosen.index)
        came, meant = next(iter([*wrong, *pairs]), (None, None))
        return replace(place, call=call, came=came, meant=meant)

    def on_its_way(
        self, chosen: Chosen, earlier: Sequence[Evaluated], model: Model, best: Replacement | None
    ) -> Evaluated | None:
        """Of a step that was left out, and what mends lies behind it: its last right value."""
        positions = chosen.probe.exercise.pipeline.positions
        own = {positions[name] for name in model.replaces}
        if best is not None and best.waypoint.position < max(own) + 1:
            return None
        right = self.waypoints(chosen.probe, chosen.index)
        names = {each.name for each in right if round(each.position) in own}
        return last_on_its_way(earlier, right, names, SERIES)

    def _never_read(self, chosen: Chosen) -> Span | None:
        """The array that the exercise is given and nothing in it reads."""
        call = chosen.probe.calls[chosen.index]
        given = [name for name, value in call.items() if isinstance(value, np.ndarray)]
        for file, text in () if self.sites is None else self.sites.texts.items():
            span = never_read(text, file, self.plan.exercise, given)
            if span is not None:
                return span
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


def _ill_kept(one: Answered, build: Answer, verdict: Verdict, model: Model | None) -> str:
    """A parameter that is missing, has the wrong size, or is the same object as another."""
    exercise = one.probe.exercise
    if verdict.stage == stages.SHAPES and exercise.built is not None:
        wanted = exercise.built.parameters(one.probe.calls[0])
        held = build.facts.get("matrices", {})
        odd = [name for name, shape in held.items() if tuple(shape) != wanted.get(name)]
        return next(iter([*build.facts.get("missing", ()), *odd]), "")
    projects = model is None or PROJECT in model.replaces
    return next((names[-1] for names in build.facts.get("same", ()) if projects), "")

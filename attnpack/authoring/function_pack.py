"""A pack of functions: everything that `Pack` asks for, out of its exercises and bugs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from attnpack.pack.base import Pack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np

    from attnpack.authoring.exercise import Exercise
    from attnpack.calls import Question, Transcript
    from attnpack.pack.kinds import (
        Annotation,
        Judgement,
        Plan,
        Rehearsal,
        Source,
        Suspect,
        Thoroughness,
        Verdict,
    )
    from attnpack.pack.texts import Bug
    from attnpack.terms import Backend


class FunctionPack(Pack):
    """`PACK = FunctionPack(name=..., title=..., root=..., exercises=..., bugs=...)`.

    `root` is the folder that holds `checks`, `exercises` and `reference`. Modules that need
    numpy are imported at the first question.
    """

    def __init__(
        self,
        *,
        name: str,
        title: str,
        root: Path,
        exercises: Sequence[Exercise],
        bugs: Sequence[Bug],
        chapter_titles: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.title, self.root = name, title, root
        self.exercises = tuple(exercises)
        self.chapter_titles = chapter_titles or {}
        self.stages = _in_order(exercises)
        self._own = tuple(bugs)

    def bugs(self) -> Mapping[str, Bug]:
        """The pack's own in their order, then those that every exercise can have."""
        return self._bugs

    @cached_property
    def _bugs(self) -> Mapping[str, Bug]:
        from attnpack.authoring.common import COMMON

        return {known.id: known for known in (*self._own, *COMMON)}

    def plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """Fresh probes."""
        from attnpack.authoring import judging

        return judging.plan(self._exercise(exercise), backend, rng)

    def short_plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """All probes: they are few as it is."""
        return self.plan(exercise, backend, rng)

    def judge(self, plan: Plan, transcript: Transcript) -> Judgement:
        """Stages in order."""
        from attnpack.authoring import judging

        return judging.judge(self._exercise(plan.exercise), plan, transcript)

    def diagnose(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        source: Source | None = None,
    ) -> Sequence[Suspect]:
        """The causes, the best explanation first."""
        from attnpack.authoring import diagnosing

        del source  # its bugs are told by what they give
        exercise = self._exercise(plan.exercise)
        return diagnosing.diagnose(exercise, self.bugs(), plan, transcript, verdict)

    def trace_plan(
        self, plan: Plan, transcript: Transcript, verdict: Verdict, suspects: Sequence[Suspect]
    ) -> Sequence[Question]:
        """The call to run again under a line trace."""
        from attnpack.authoring import locating

        return locating.trace_plan(plan, transcript, verdict) if suspects else ()

    def locate(
        self,
        plan: Plan,
        transcript: Transcript,
        traced: Transcript,
        verdict: Verdict,
        suspects: Sequence[Suspect],
        source: Source,
    ) -> Sequence[Suspect]:
        """The same suspects with file and line."""
        from attnpack.authoring import locating

        exercise = self._exercise(plan.exercise)
        return locating.locate(exercise, plan, transcript, traced, verdict, suspects, source)

    def annotation_plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """The first call, traced."""
        from attnpack.authoring import judging
        from attnpack.pack.kinds import Plan

        first = judging.plan(self._exercise(exercise), backend, rng).probes[0]
        return Plan(exercise, backend, (first.question(trace=True),), (first,))

    def annotations(self, plan: Plan, transcript: Transcript) -> Sequence[Annotation]:
        """What every line of that call made."""
        from attnpack.authoring import locating

        return locating.annotate(plan, transcript)

    def rehearse(
        self, exercise: str, backend: Backend, thoroughness: Thoroughness, bug: str | None = None
    ) -> Rehearsal:
        """Act out the exercise's bug models."""
        from attnpack.authoring import rehearsal

        asked = self._exercise(exercise)
        return rehearsal.rehearse(asked, self.bugs(), backend, thoroughness, bug)

    def _exercise(self, name: str) -> Any:
        return self.exercise(name)


def _in_order(exercises: Sequence[Exercise]) -> tuple[Any, ...]:
    """Every stage of any exercise: shapes first, values last, the exercises' own between."""
    from attnpack.authoring.exercise import SHAPES, VALUES

    own = dict.fromkeys(stage for exercise in exercises for stage in exercise.properties)
    return (SHAPES, *own, VALUES)

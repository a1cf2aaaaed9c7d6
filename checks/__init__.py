"""The attention pack: stages, oracle, bug models, cards.

Nothing here imports numpy until a plan is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.pack.base import Pack

from .exercises import EXERCISES
from .stages import STAGES

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np

    from attnpack.calls import Question, Transcript
    from attnpack.guest.seeing.sites import Span
    from attnpack.pack.kinds import (
        Annotation,
        Ask,
        Change,
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


def _quietly() -> AbstractContextManager[None]:
    """Learners' numbers overflow and are none: that is theirs to hear of from the verdict."""
    import numpy as np

    return np.errstate(all="ignore")


class AttentionPack(Pack):
    """The pack that comes with attnpack."""

    name = "attention"
    title = "Self-attention by hand"
    root = Path(__file__).parent.parent
    exercises = EXERCISES
    chapter_titles: Mapping[str, str] = {
        "attention": "From softmax to multi-head attention",
        "block": "Around attention: the norm and the feed-forward",
    }
    stages = STAGES
    beside = ("SHAPES.md",)
    look = True

    def bugs(self) -> Mapping[str, Bug]:
        """Every id of the vocabulary, in its order."""
        from .bugs import catalogue

        return catalogue()

    def plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """Fresh probes."""
        from .judging import plan

        return plan(exercise, backend, rng)

    def short_plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """Fewer probes, which only right code passes."""
        from .short_form import plan

        return plan(exercise, backend, rng)

    def pieces(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Sequence[Plan]:
        """The whole plan, a probe or a few that belong together in each piece."""
        from .short_form import pieces

        return pieces(exercise, backend, rng)

    def judge(self, plan: Plan, transcript: Transcript) -> Judgement:
        """Stages in order."""
        from .judging import judge

        with _quietly():
            return judge(plan, transcript)

    def diagnose(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        source: Source | None = None,
    ) -> Sequence[Suspect]:
        """The causes, the best explanation first."""
        from .diagnosing import diagnose

        with _quietly():
            return diagnose(plan, transcript, verdict, source)

    def trace_plan(
        self, plan: Plan, transcript: Transcript, verdict: Verdict, suspects: Sequence[Suspect]
    ) -> Sequence[Question]:
        """The questions to run again under a line trace."""
        from .tracing import trace_plan

        with _quietly():
            return trace_plan(plan, transcript, verdict, suspects)

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
        from .locating import locate

        with _quietly():
            return locate(plan, transcript, traced, verdict, suspects, source)

    def places(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        suspects: Sequence[Suspect],
        source: Source,
    ) -> Generator[Ask, Transcript, Sequence[Suspect]]:
        """The same suspects with the expression at fault."""
        from .placing import places

        return places(plan, transcript, verdict, suspects, source)

    def change(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        source: Source,
        near: Span | None,
    ) -> Generator[Ask, Transcript, Change | None]:
        """One small change of the learner's code after which everything passes."""
        from .mending import change

        return change(plan, transcript, verdict, source, near)

    def annotation_plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """One traced call on sizes that are all different."""
        from .annotating import annotation_plan

        return annotation_plan(exercise, backend, rng)

    def annotations(self, plan: Plan, transcript: Transcript) -> Sequence[Annotation]:
        """What every line of that call made."""
        from .annotating import annotate

        return annotate(plan, transcript)

    def rehearse(
        self, exercise: str, backend: Backend, thoroughness: Thoroughness, bug: str | None = None
    ) -> Rehearsal:
        """Act out the exercise's bug models."""
        from .rehearsal import rehearse

        return rehearse(exercise, backend, thoroughness, bug)


PACK = AttentionPack()

"""What the machinery asks of a pack. A pack's author derives a class from `Pack`.

A pack is a folder: `checks/` (its `__init__.py` has `PACK`, an object of that class),
`exercises/BACKEND/` with the stubs and `reference/BACKEND/` with the solutions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError
from attnpack.pack.texts import Chapter

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence
    from pathlib import Path

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
    from attnpack.pack.texts import Bug, Exercise
    from attnpack.terms import Backend, Stage

_HASHED_FOLDERS = ("checks", "exercises", "reference")
_HASHED_SUFFIXES = {".py", ".md", ".toml"}


class Pack(ABC):
    """Exercises in chapters, and all that is known about answers to them."""

    name: str
    """one word, for messages"""
    title: str
    """of the whole: a course platform's column of marks is called so"""
    root: Path
    """the folder that holds `checks`, `exercises` and `reference`"""
    exercises: Sequence[Exercise]
    """in the order of the course"""
    chapter_titles: Mapping[str, str] = {}
    """chapter -> its title, in order; empty where all is one chapter, named as the pack"""
    stages: Sequence[Stage]
    """every one that any exercise has, in the order they run"""
    beside: Sequence[str] = ()
    """files of `exercises/` that every workspace gets beside its stubs"""
    look: bool = False
    """whether `demo`, `heatmap`, `generate` and `shapes` are about this pack's exercises"""
    place: str | None = None
    """by what `load` finds it again; None for the one that comes with attnpack"""

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """In the order of the course; the first is what is meant where none is named."""
        titles = self.chapter_titles or {self.name: self.title}
        found: dict[str, list[Exercise]] = {name: [] for name in titles}
        for exercise in self.exercises:
            found[exercise.chapter or self.name].append(exercise)
        return tuple(Chapter(name, title, tuple(found[name])) for name, title in titles.items())

    def exercise(self, name: str) -> Exercise:
        """The exercise of that name. Raises BadInputError."""
        for each in self.exercises:
            if each.name == name:
                return each
        raise BadInputError(f"There is no exercise {name}: see attnpack list")

    def chapter(self, name: str) -> Chapter:
        """The chapter of that name. Raises BadInputError."""
        for each in self.chapters:
            if each.name == name:
                return each
        names = ", ".join(each.name for each in self.chapters)
        raise BadInputError(f"There is no chapter {name!r}. The chapters are: {names}.")

    def chapter_of(self, exercise: str) -> Chapter:
        """The chapter that an exercise belongs to. Raises BadInputError."""
        for each in self.chapters:
            if any(own.name == exercise for own in each.exercises):
                return each
        raise BadInputError(f"There is no exercise {exercise}: see attnpack list")

    def in_chapters(self, names: Iterable[str]) -> tuple[Exercise, ...]:
        """The exercises of these chapters, in order. Raises BadInputError."""
        wanted = {self.chapter(name).name for name in names}
        return tuple(e for each in self.chapters if each.name in wanted for e in each.exercises)

    def stub_path(self, backend: str, file: str) -> Path:
        """A stub, as a learner gets it."""
        return self.root / "exercises" / backend / file

    def reference_path(self, backend: str, file: str) -> Path:
        """The solution of one exercise."""
        return self.root / "reference" / backend / file

    def fingerprint(self) -> str:
        """`sha256:` and the hash of every file of the pack, names and contents, in sorted order."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        import hashlib

        digest = hashlib.sha256()
        for folder in _HASHED_FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in _HASHED_SUFFIXES:
                    digest.update(path.relative_to(self.root).as_posix().encode())
                    digest.update(b"\0")
                    digest.update(path.read_bytes())
                    digest.update(b"\0")
        return f"sha256:{digest.hexdigest()}"

    @abstractmethod
    def bugs(self) -> Mapping[str, Bug]:
        """Every id of the vocabulary, in the order of its page. No numpy is imported."""

    @abstractmethod
    def plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """Fresh probes."""

    @abstractmethod
    def short_plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """Fewer probes, which only right code passes; its keys are no other exercise's."""

    def pieces(
        self,
        exercise: str,  # noqa: ARG002  for those that override it
        backend: Backend,  # noqa: ARG002
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Sequence[Plan]:
        """The whole plan in pieces that can be judged one by one; its keys are no other's.

        Grading asks a random one beside the short form. None where the short form is all.
        """
        return ()

    @abstractmethod
    def judge(self, plan: Plan, transcript: Transcript) -> Judgement:
        """Stages in order; a pure function of arrays."""

    @abstractmethod
    def diagnose(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        source: Source | None = None,
    ) -> Sequence[Suspect]:
        """The causes, the best explanation first; a pure function of arrays and of the source.

        Without the source it says less: what numbers leave open stays open.
        """

    @abstractmethod
    def trace_plan(
        self, plan: Plan, transcript: Transcript, verdict: Verdict, suspects: Sequence[Suspect]
    ) -> Sequence[Question]:
        """The questions to run again under a line trace in a fresh guest."""

    @abstractmethod
    def locate(
        self,
        plan: Plan,
        transcript: Transcript,
        traced: Transcript,
        verdict: Verdict,
        suspects: Sequence[Suspect],
        source: Source,
    ) -> Sequence[Suspect]:
        """The same suspects with file and line where the trace or the source shows them."""

    def places(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        suspects: Sequence[Suspect],
        source: Source,
    ) -> Generator[Ask, Transcript, Sequence[Suspect]]:
        """The same suspects with the expression at fault; what it asks of guests is yielded.

        A pack may do without: the suspects stay as they are.
        """
        del plan, transcript, verdict, source
        yield from ()
        return suspects

    def change(
        self,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        source: Source,
        near: Span | None,
    ) -> Generator[Ask, Transcript, Change | None]:
        """One small change of the learner's code after which everything passes, if one is found.

        A pack may do without: none is looked for.
        """
        del plan, transcript, verdict, source, near
        yield from ()
        return None

    @abstractmethod
    def annotation_plan(self, exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
        """One traced call of an exercise, on sizes that are all different."""

    @abstractmethod
    def annotations(self, plan: Plan, transcript: Transcript) -> Sequence[Annotation]:
        """What every line of that call made."""

    @abstractmethod
    def rehearse(
        self, exercise: str, backend: Backend, thoroughness: Thoroughness, bug: str | None = None
    ) -> Rehearsal:
        """Act out the exercise's bug models, or those of one bug: is each diagnosed as itself?"""

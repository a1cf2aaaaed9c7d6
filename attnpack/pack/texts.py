"""What a learner reads of a pack: exercises, bugs and their cards.

Apart from the rest of what a pack is made of: the commands that need no more start sooner.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attnpack.errors import OwnFaultError
from attnpack.pack.cards import Card, cards_in
from attnpack.terms import Backend, Stage

if TYPE_CHECKING:
    from pathlib import Path


class Kind(StrEnum):
    """What the learner defines."""

    FUNCTION = "function"
    CLASS = "class"


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One exercise as the learner meets it. Texts only: no numpy is imported for these.

    A pack may know more of its exercises: it subclasses this (`checks/exercise.py`).
    """

    name: str
    file: str
    kind: Kind
    title: str
    equation: str
    needs: tuple[str, ...]
    """earlier exercises that a solution may use"""
    stages: tuple[Stage, ...]
    hints: tuple[str, str, str]
    """a question, a direction, a line; none of them is the solution"""
    read: tuple[str, ...]
    """papers and lessons"""
    chapter: str = ""
    """one of the pack's chapters; empty in a pack that has only one"""
    backends: tuple[Backend, ...] = tuple(Backend)
    """what it can be written in: each has a stub and a reference"""

    def stages_on(self, backend: Backend) -> tuple[Stage, ...]:
        """The stages that have something to ask of code of a backend, in order; none of others."""
        if backend not in self.backends:
            return ()
        return tuple(stage for stage in self.stages if backend in stage.backends)


@dataclass(frozen=True)
class Chapter:
    """Exercises that belong together, in their order."""

    name: str
    """one word, as it is asked for: `--chapter NAME`"""
    title: str
    exercises: tuple[Exercise, ...]

    @property
    def backends(self) -> tuple[Backend, ...]:
        """What it, or some of it, can be written in."""
        return tuple(b for b in Backend if any(b in each.backends for each in self.exercises))


@dataclass(frozen=True)
class Bug:
    """One entry of the catalogue: a fixed word, and the executable models of that bug.

    `models` are opaque to the machinery; the pack's diagnosis reads them.
    """

    id: str
    models: tuple[Any, ...] = ()
    equals: tuple[str, ...] = ()
    """ids that give the same numbers, at least in some exercises"""
    cards: Path | None = None
    """the file that its card stands in"""

    @property
    def card(self) -> Card:
        """What a learner reads of it. Raises `OwnFaultError` where there is no card."""
        cards = {} if self.cards is None else cards_in(self.cards)
        if self.id not in cards:
            raise OwnFaultError(f"{self.cards or 'The pack'} has no card [{self.id}]")
        return cards[self.id]

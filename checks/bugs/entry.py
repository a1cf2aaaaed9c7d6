"""An entry of the catalogue: a bug, its models, and what is special in recognising it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attnpack.pack.texts import Bug

from .where import Where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.terms import Backend

    from ..code import Fact
    from ..exercise import Exercise
    from ..traits import Trait


@dataclass(frozen=True)
class Entry(Bug):
    """One bug. Its card is the table of the same name in `cards/`, in the module's file."""

    needs: frozenset[Trait] = frozenset()
    """what an exercise must have for any of its models, beside what each needs itself"""
    backends: frozenset[Backend] = frozenset()
    """those whose code can hold it; empty for every one"""
    torch_fact: str = ""
    """what a guest of torch notes down whenever it happens: where it did not, the same numbers
    come of another bug"""
    shown_by: Fact | None = None
    """where the source shows it: settles which of several names for the same numbers comes first"""
    says: tuple[str, ...] = ()
    """parts of an exception's message that come of nothing else"""
    raises_in: tuple[str, ...] = ()
    """operations in which it raises: the proof of a bug that shows by exceptions alone"""
    where: Where = field(default_factory=Where)
    """where its line is looked for, beside the steps that its models replace"""
    hides_others: bool = False
    """it is seen at once, and the numbers may show a second bug behind it"""
    equals_where: Mapping[str, frozenset[Trait]] = field(default_factory=dict)
    """of its equals, those that are equal only in exercises with these traits"""

    def equals_in(self, exercise: Exercise) -> set[str]:
        """The ids that give the same numbers in one exercise."""
        anywhere: frozenset[Trait] = frozenset()
        return {e for e in self.equals if exercise.has(*self.equals_where.get(e, anywhere))}

"""An entry of the catalogue: a bug, its models, and what is special in recognising it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.pack.texts import Bug

if TYPE_CHECKING:
    from attnpack.terms import Backend


@dataclass(frozen=True)
class Entry(Bug):
    """One bug. Its card is the table of the same name in `cards/`, in the module's file."""

    backends: frozenset[Backend] = frozenset()
    """those whose code can hold it; empty for every one"""
    torch_fact: str = ""
    """what a guest of torch notes down whenever it happens: where it did not, the same numbers
    come of another bug"""
    says: tuple[str, ...] = ()
    """parts of an exception's message that come of nothing else"""
    hides_others: bool = False
    """it is seen at once, and the numbers may show a second bug behind it"""

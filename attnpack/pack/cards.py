"""Reads bug cards from TOML: a file for each family of bugs, a table for each card.

`family` and `star` stand at the top and hold for all its cards. Prose may be broken into lines
anywhere; an example is kept as it is. A word of `read` that `reading.toml` beside the file
explains stands for that text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from attnpack.errors import OwnFaultError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

READING = "reading.toml"
_PROSE = ("title", "does", "hurts", "fix")
_REQUIRED = (*_PROSE, "example", "hints", "read")
_OPTIONAL = ("no_model", "note_only")
_HINTS = 3


@dataclass(frozen=True)
class Card:
    """One bug as the learner reads it: `attnpack explain ID`."""

    id: str
    family: str
    title: str
    """a short noun phrase, lower case: "softmax over the queries" """
    does: str
    """one sentence: the code ..."""
    example: str
    """a smallest example in numbers, preformatted, at most 72 columns"""
    hurts: str
    fix: str
    """what to do; never the finished solution line of an exercise"""
    hints: tuple[str, str, str]
    """a question, a direction, a line"""
    read: tuple[str, ...]
    star: bool = False
    """one of the families every learner is warned of first"""
    note_only: bool = False
    """never a failure"""
    no_model: str = ""
    """why there is no executable model, where there is none"""


@cache
def cards_in(file: Path) -> Mapping[str, Card]:
    """The cards of one file by their ids. Raises `OwnFaultError` where it is not in order."""
    content = _table(file)
    place = file.parent / READING
    sources = _table(place) if place.is_file() else {}
    family, star = content.pop("family", ""), content.pop("star", False)
    if not isinstance(family, str) or not family:
        raise OwnFaultError(f"{file} does not begin with family = ...")
    return {bug: _card(bug, table, family, star, sources, file) for bug, table in content.items()}


def _table(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise OwnFaultError(f"{file} is not TOML: {error}") from error


def _card(
    bug: str, table: Any, family: str, star: bool, sources: Mapping[str, str], file: Path
) -> Card:
    """The card of one table."""
    if not isinstance(table, dict):
        raise OwnFaultError(f"{file}: {bug} is not a table [{bug}]")
    missing = [name for name in _REQUIRED if name not in table]
    unknown = [name for name in table if name not in (*_REQUIRED, *_OPTIONAL)]
    if missing or unknown or len(table["hints"]) != _HINTS:
        told = [*(f"{name} is missing" for name in missing), *(f"{n} is unknown" for n in unknown)]
        raise OwnFaultError(f"{file}: [{bug}]: {', '.join(told) or 'hints are three'}")
    question, direction, line = map(_unbroken, table["hints"])
    return Card(
        id=bug,
        family=family,
        **{name: _unbroken(table[name]) for name in _PROSE},
        example=table["example"],
        hints=(question, direction, line),
        read=tuple(_unbroken(sources.get(word, word)) for word in table["read"]),
        star=star,
        note_only=table.get("note_only", False),
        no_model=_unbroken(table.get("no_model", "")),
    )


def _unbroken(text: str) -> str:
    return " ".join(text.split())

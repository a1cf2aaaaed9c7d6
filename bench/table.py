"""The table of the bench: what it has in its rows, and how they look."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLES: Final = ("", "attnpack", "beside", "takes", "ratio", "target")
WIDTHS: Final = (26, 8, 27, 8, 6, 15)
GAP: Final = "  "
COLUMNS: Final = sum(WIDTHS) + len(GAP) * (len(WIDTHS) - 1)
"""of the plain table: at most 100"""


class Unit(StrEnum):
    SECONDS = "s"
    PER_SECOND = "/s"


class Sign(StrEnum):
    AT_MOST = "<="
    AT_LEAST = ">="


class Target(NamedTuple):
    """What is promised of a ratio."""

    sign: Sign
    limit: float

    def met(self, ratio: float) -> bool:
        """Whether the ratio keeps the promise."""
        return ratio <= self.limit if self.sign is Sign.AT_MOST else ratio >= self.limit


def at_most(limit: float) -> Target:
    return Target(Sign.AT_MOST, limit)


def at_least(limit: float) -> Target:
    return Target(Sign.AT_LEAST, limit)


class Absent(NamedTuple):
    """Stands for a figure that there is not."""

    name: str
    """whose"""
    word: str
    """for its cell"""
    reason: str
    """for the line under the table"""


@dataclass(frozen=True)
class Row:
    """One figure of attnpack beside one other, in the same unit."""

    group: str
    what: str
    ours: float
    beside: str
    theirs: float | Absent
    target: Target | None = None
    unit: Unit = Unit.SECONDS

    @property
    def ratio(self) -> float | None:
        """Ours by theirs."""
        return None if isinstance(self.theirs, Absent) else self.ours / self.theirs

    def cells(self) -> tuple[str, ...]:
        """As text, in the order of TITLES."""
        theirs = self.theirs
        other = theirs.word if isinstance(theirs, Absent) else figure(theirs, self.unit)
        ours = figure(self.ours, self.unit)
        return self.what, ours, self.beside, other, self._shown_ratio(), self._verdict()

    def as_json(self) -> dict[str, Any]:
        """With the figures as they were measured, in seconds or per second."""
        absent = self.theirs if isinstance(self.theirs, Absent) else None
        return {
            "group": self.group,
            "what": self.what,
            "unit": self.unit.value,
            "attnpack": self.ours,
            "beside": self.beside,
            "takes": None if absent else self.theirs,
            "absent": absent.reason if absent else None,
            "ratio": self.ratio,
            "target": None if self.target is None else [self.target.sign.value, self.target.limit],
        }

    def _shown_ratio(self) -> str:
        if self.ratio is None:
            return "-"
        return f"{self.ratio:.2f}" if self.ratio >= 0.1 else f"{self.ratio:.2g}"

    def _verdict(self) -> str:
        if self.target is None:
            return ""
        promise = f"{self.target.sign} {self.target.limit:.2g}"
        if self.ratio is None:
            return promise
        return f"{promise} {'met' if self.target.met(self.ratio) else 'MISSED'}"


def figure(value: float, unit: Unit) -> str:
    """Three digits or so, and the unit."""
    if unit is Unit.PER_SECOND:
        return f"{value:.1f} /s"
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.1f} ms" if value < 0.1 else f"{value * 1e3:.0f} ms"


def plain(rows: Sequence[Row]) -> str:
    """For a terminal of 100 columns: a heading for each group, then its rows."""
    lines = [_line(TITLES)]
    for group, members in groupby(rows, lambda row: row.group):
        lines += ["", group]
        for row in members:
            lines += _wrapped(row.cells())
    return "\n".join([*lines, *_under(rows)]) + "\n"


def _wrapped(cells: Sequence[str]) -> list[str]:
    """The cells as one line, or more where a text is longer than its column."""
    columns = [
        textwrap.wrap(cell, width - 2 * (n == 0)) or [""]
        for n, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    height = max(len(column) for column in columns)
    padded = [[*column, *[""] * (height - len(column))] for column in columns]
    return [_line((f"  {first}", *others)) for first, *others in zip(*padded, strict=True)]


def _line(cells: Sequence[str]) -> str:
    """Figures to the right of their columns, words to the left."""
    words = (0, 2, 5)
    aligned = [
        cell.ljust(width) if n in words else cell.rjust(width)
        for n, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return GAP.join(aligned).rstrip()


def markdown(rows: Sequence[Row]) -> str:
    """For a page."""
    lines = [_piped(TITLES), "|---|--:|---|--:|--:|---|"]
    for group, members in groupby(rows, lambda row: row.group):
        for row in members:
            what, *others = row.cells()
            lines.append(_piped((f"{group}: {what}", *others)))
    return "\n".join([*lines, *_under(rows)]) + "\n"


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _under(rows: Sequence[Row]) -> list[str]:
    """Why there is no figure, once for each that has none."""
    reasons = {
        f"{row.theirs.name}, {row.theirs.word}: {' '.join(row.theirs.reason.split())}": None
        for row in rows
        if isinstance(row.theirs, Absent)
    }
    return ["", *(textwrap.fill(line, COLUMNS) for line in reasons)] if reasons else []

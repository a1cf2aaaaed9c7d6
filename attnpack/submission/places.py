"""Where a line of the learner's code is: in words, in numbers, as a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from attnpack.submission.notebook import Cell


@dataclass(frozen=True)
class Places:
    """The places of one submission."""

    folder: Path | None = None
    """where its files lie; None makes no links"""
    cells: tuple[Cell, ...] = ()
    """of a notebook, whose lines are counted cell by cell"""

    def words(self, file: str, line: int) -> str:
        """As editors and terminals know it: "softmax.py:3"; in a notebook "cell 2, line 3"."""
        cell = None if file.endswith(".py") else self.cell(line)
        if cell is None:
            return f"{file}:{line}"
        return f"{cell.name}, line {self.number(line)}"

    def number(self, line: int) -> int:
        """The line's number as the learner's editor counts it."""
        cell = self.cell(line)
        return line if cell is None else line - cell.first_line + 1

    def beside(self, line: int, other: int) -> bool:
        """Whether both lines are of one file, or one cell."""
        return self.cell(line) == self.cell(other)

    def link(self, file: str) -> str | None:
        """A URL of the file, where it is there."""
        path = self.folder / file if self.folder is not None else None
        return path.resolve().as_uri() if path is not None and path.is_file() else None

    def cell(self, line: int) -> Cell | None:
        """The cell that a line is of; None in a plain file."""
        return next((cell for cell in reversed(self.cells) if line >= cell.first_line), None)


FILES: Final = Places()
"""plain files, without links"""

"""A notebook's code cells as one text, with the way back from lines to cells.

Magics and shell commands are left out and their lines kept blank, so that a line number still
means the line it meant. A cell that is not Python ends no other: it stands beside the text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from attnpack.submission.commands import is_python, lines_of, python_lines


class NotebookError(Exception):
    """The bytes are no notebook."""


@dataclass(frozen=True)
class Cell:
    """A code cell's place in the text."""

    number: int
    """counted from 1 over code cells"""
    first_line: int
    notebook: str = ""
    """the file it is from, where several notebooks are one text"""

    @property
    def name(self) -> str:
        """ "cell 2", or "b.ipynb, cell 2" where there are several notebooks."""
        return f"{self.notebook}, cell {self.number}" if self.notebook else f"cell {self.number}"


@dataclass(frozen=True)
class Broken:
    """A cell that does not parse."""

    cell: Cell
    text: str
    """as written, on its lines of the whole text"""


@dataclass(frozen=True)
class Notebook:
    """The code cells of a notebook as one text, and what is to be said of them."""

    text: str
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    broken: tuple[Broken, ...] = ()


def read(data: bytes) -> Notebook:
    """The code of a notebook (nbformat 3 and 4). Raises NotebookError."""
    try:
        content = json.loads(data.decode("utf-8-sig"))
        cells = content["cells"] if "cells" in content else content["worksheets"][0]["cells"]
        sources = [_source(cell) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise NotebookError("save it in Jupyter as .ipynb again") from error
    lines: list[str] = []
    places: list[Cell] = []
    broken: list[Broken] = []
    left_out = 0
    for number, source in enumerate(sources, start=1):
        cell = Cell(number, len(lines) + 1)
        places.append(cell)
        written, kept = lines_of(source), python_lines(source)
        left_out += sum(old != new for old, new in zip(written, kept, strict=True))
        if not is_python(kept):
            broken.append(Broken(cell, "\n".join([*[""] * len(lines), *kept]) + "\n"))
            kept = [""] * len(kept)
        lines += [*kept, ""]
    notes = (_NOTE.format(lines=_counted(left_out)),) if left_out else ()
    return Notebook("\n".join(lines) + "\n", tuple(places), notes, tuple(broken))


_NOTE = "Left out of the notebook, magics and shell commands: {lines}."


def _counted(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return "".join(map(str, source)) if isinstance(source, list) else str(source)

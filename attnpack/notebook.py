"""A notebook's code cells as one text, with the way back from lines to cells.

Magics, shell lines and bare expressions (a plot, a print, a check of one's own) are left out
and their lines kept blank, so that a line number still means the line it meant.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass

_NOT_PYTHON = re.compile(r"^\s*(?:[%!?]|.*\?\s*$)")
_ASSIGNED = re.compile(r"^\s*[\w, ]+=\s*[%!]")


class NotebookError(Exception):
    """The bytes are no notebook."""


@dataclass(frozen=True)
class Cell:
    """A code cell's place in the text."""

    number: int
    """counted from 1 over code cells"""
    first_line: int


@dataclass(frozen=True)
class Notebook:
    """What was read."""

    text: str
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]


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
    left_out = 0
    for number, source in enumerate(sources, start=1):
        places.append(Cell(number, len(lines) + 1))
        kept, blanked = _python(source)
        left_out += blanked
        lines += [*kept, ""]
    notes = (_NOTE.format(lines=_lines(left_out)),) if left_out else ()
    return Notebook("\n".join(lines) + "\n", tuple(places), notes)


_NOTE = "Left out of the notebook, magics, shell commands and bare expressions: {lines}."


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _python(source: str) -> tuple[list[str], int]:
    """A cell's lines, those that are not Python or bare expressions blank; how many are."""
    lines = source.splitlines()
    if source.lstrip().startswith("%%"):
        return [""] * len(lines), len(lines)
    kept = ["" if _NOT_PYTHON.match(line) or _ASSIGNED.match(line) else line for line in lines]
    blanked = sum(old != new for old, new in zip(lines, kept, strict=True))
    try:
        tree = ast.parse("\n".join(kept))
    except (SyntaxError, ValueError):
        return kept, blanked
    for statement in tree.body:
        if isinstance(statement, ast.Expr):
            for line in range(statement.lineno - 1, statement.end_lineno or statement.lineno):
                blanked += bool(kept[line])
                kept[line] = ""
    return kept, blanked

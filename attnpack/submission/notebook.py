"""A notebook's code cells as one text, with the way back from lines to cells.

Magics, shell lines and bare expressions (a plot, a print, a check of one's own) are left out
and their lines kept blank, so that a line number still means the line it meant.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass

_NOT_PYTHON = re.compile(r"^\s*(?:[%!?]|[\w.*\[\]]+\?{1,2}\s*$)")
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_RUN_ELSEWHERE = {
    *("bash", "cmd", "script", "sh", "sx", "system", "perl", "ruby", "pypy", "python", "python2"),
    *("python3", "html", "javascript", "js", "latex", "markdown", "svg"),
    *("file", "writefile", "timeit"),
}
"""cell magics that leave nothing defined; all others (`%%time`) run their cell as it stands"""
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
    lines = _lines_of(source)
    above = magics_above(lines)
    if above:
        kept, blanked = _python("\n".join(lines[above:]))
        return [""] * above + kept, blanked + above
    kept, tree = lines, _parsed(lines)
    if tree is None:  # only then: in Python a line may well begin with % or end with a question
        kept = ["" if _NOT_PYTHON.match(line) or _ASSIGNED.match(line) else line for line in lines]
        tree = _parsed(kept)
    if tree is not None:
        kept = _without_expressions(kept, tree)
    return kept, sum(old != new for old, new in zip(lines, kept, strict=True))


def magics_above(lines: list[str]) -> int:
    """How many lines of cell magics a cell begins with; all, where it runs as no code of ours."""
    first = 0
    while first < len(lines) and not lines[first].strip():
        first += 1
    above = first
    while above < len(lines) and (magic := _CELL_MAGIC.match(lines[above])):
        above += 1
        if magic[1] in _RUN_ELSEWHERE:
            return len(lines)
    return above if above > first else 0


def python_lines(source: str) -> list[str]:
    """A cell's lines with all blank that is not Python, or says nothing."""
    return _python(source)[0]


def _lines_of(source: str) -> list[str]:
    """As Python counts lines: a form feed or U+2028 ends none."""
    lines = re.split(r"\r\n|\r|\n", source)
    return lines if lines[-1] else lines[:-1]


def _parsed(lines: list[str]) -> ast.Module | None:
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_expressions(lines: list[str], tree: ast.Module) -> list[str]:
    """Bare expressions blank, but for those that share a line with another statement."""
    of_others = {
        line
        for statement in tree.body
        if not isinstance(statement, ast.Expr)
        for line in _span(statement)
    }
    kept = list(lines)
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and of_others.isdisjoint(_span(statement)):
            for line in _span(statement):
                kept[line] = ""
    return kept


def _span(statement: ast.stmt) -> range:
    """The lines it stands on, counted from 0."""
    return range(statement.lineno - 1, statement.end_lineno or statement.lineno)

"""`SHAPES.md` as a learner fills it in: each cell right, wrong or empty.

A wrong cell is told more each time it is checked: first that it is wrong, then how many axes
the tensor has, then the shape.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError, in_words
from attnpack.workspace.progress import write_whole

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from pathlib import Path

_AXES_FROM = 2
"""the check at which a wrong cell is told its number of axes"""
_ANSWER_FROM = 3
_COLUMNS = ("symbols", "numbers")
_SAME = {"T_q": "T", "T_k": "T", "d_model": "D", "d_v": "d_k", "D/h": "d_k", "n": "T"}
_SPLIT = re.compile(r"[,×;]|\s+x\s+|\s+")


class Mark(Enum):
    """What a cell is worth."""

    RIGHT = "ok"
    WRONG = "!!"
    EMPTY = "--"


@dataclass(frozen=True)
class Cell:
    """One shape as it is written."""

    section: str
    tensor: str
    column: str
    text: str

    @property
    def key(self) -> str:
        """The cell's name in the memory of tries."""
        return f"{self.section}/{self.tensor}/{self.column}"


@dataclass(frozen=True)
class Marked:
    """A cell, its mark, and what its learner may be told."""

    cell: Cell
    mark: Mark
    hint: str = ""


def cells(text: str) -> Iterator[Cell]:
    """The shape cells of a page's tables, in order."""
    section = ""
    header: list[str] = []
    for line in text.splitlines():
        if line.startswith("## "):
            section, header = line.removeprefix("## ").strip(), []
        elif line.lstrip().startswith("|"):
            entries = [entry.strip() for entry in line.strip().strip("|").split("|")]
            if "tensor" in entries:
                header = entries
            elif header and not set(entries[0]) <= set("-: "):
                named = dict(zip(header, entries, strict=False))
                for column in _COLUMNS:
                    yield Cell(section, named.get("tensor", ""), column, named.get(column, ""))


def without(text: str, sections: Container[str]) -> str:
    """A page without the sections of these names."""
    parts = text.split("\n## ")
    return "\n## ".join(part for part in parts if part.partition("\n")[0].strip() not in sections)


def mark(sheet: str, solution: str, tries: Mapping[str, int]) -> list[Marked]:
    """Every cell of the solution as the sheet has it; `tries` counts earlier wrong ones."""
    written = {cell.key: cell for cell in cells(sheet)}
    marked = []
    for right in cells(solution):
        cell = written.get(right.key, Cell(right.section, right.tensor, right.column, ""))
        if not axes(cell):
            marked.append(Marked(cell, Mark.EMPTY))
        elif axes(cell) == axes(right):
            marked.append(Marked(cell, Mark.RIGHT))
        else:
            marked.append(Marked(cell, Mark.WRONG, _hint(right, tries.get(cell.key, 0) + 1)))
    return marked


def axes(cell: Cell) -> tuple[str, ...]:
    """The axes of a cell, spelt in one way: brackets, blanks and synonyms do not matter."""
    inside = cell.text.strip("` ").strip("()[] ").replace(" / ", "/")
    named = (_SAME.get(axis, axis) for axis in _SPLIT.split(inside) if axis)
    if cell.section == "SelfAttention":
        return tuple("D" if axis == "d_k" else axis for axis in named)
    return tuple(named)


def read(path: Path) -> str:
    """The text of a sheet. Raises BadInputError where it cannot be read or holds no table."""
    if not path.is_file():
        raise BadInputError(f"There is no file {path}. `attnpack init` lays one out: SHAPES.md")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} could not be read as UTF-8 text: {error}") from error
    if not any(cells(text)):
        raise BadInputError(
            f"{path} holds no table with the columns tensor, symbols and numbers. "
            "A blank one: attnpack init NEW_FOLDER"
        )
    return text


def tries_of(memory: Path) -> dict[str, int]:
    """How often each cell was wrong; a memory that cannot be read is empty."""
    try:
        known = json.loads(memory.read_text(encoding="utf-8"))
        return {key: int(count) for key, count in known.items()}
    except (OSError, ValueError, OverflowError, AttributeError, TypeError, RecursionError):
        return {}


def remember(memory: Path, tries: Mapping[str, int], marked: list[Marked]) -> None:
    """Count the wrong cells of this check."""
    counted = dict(tries)
    for one in marked:
        if one.mark is Mark.WRONG:
            counted[one.cell.key] = counted.get(one.cell.key, 0) + 1
    with in_words(memory):
        memory.parent.mkdir(exist_ok=True)
        write_whole(memory, json.dumps(counted, indent=1) + "\n")


def _hint(right: Cell, time: int) -> str:
    if time >= _ANSWER_FROM:
        return f"it is {right.text.strip('`')}"
    if time >= _AXES_FROM:
        return f"it has {len(axes(right))} axes"
    return "not this"

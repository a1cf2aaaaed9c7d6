"""What `attnpack shapes` does: the table of the learner's own shapes, and the marks of a sheet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack.errors import BadInputError
from attnpack.look.commands import explain
from attnpack.look.shapes import sheet
from attnpack.look.shapes.sheet import Mark
from attnpack.look.shapes.table import CLASSES, FUNCTIONS, markdown, sizes_in, table
from attnpack.look.subject.learner import AttentionFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rich.console import Console

    from attnpack.look.commands import Subject
    from attnpack.look.shapes.table import Table
    from attnpack.workspace import Workspace

CUT_OFF = "The trace ends here: the run made more tensors than it keeps."
MEMORY = "shapes.json"
"""in the workspace's own folder: how often each cell was wrong"""


def shapes(subject: Subject, console: Console, *, as_markdown: bool) -> bool:
    """Trace the learner's classes and the parts of a block, and table every tensor.

    Whether the code ran to its end. Raises BadInputError where none of them is written.
    """
    written = [name for name in (*CLASSES, *FUNCTIONS) if subject.submission.started(name)]
    if not written:
        raise BadInputError(
            f"Neither {' nor '.join(CLASSES)} is written yet: there is no forward pass to follow. "
            "The shapes to aim for: fill in SHAPES.md, then attnpack shapes --verify SHAPES.md"
        )
    from attnpack.host.pool import open_pool

    with open_pool(subject.backend) as pool:
        try:
            tables = [
                table(name, subject.submission, subject.backend, pool.run) for name in written
            ]
        except AttentionFailedError as error:
            explain(error, subject, console)
            return False
    if as_markdown:
        sys.stdout.write(markdown(tables))
    else:
        _show(tables, console)
    return True


def verify(path: Path, workspace: Workspace | None, console: Console) -> bool:
    """Mark every cell of a filled-in SHAPES.md. Whether all are right.

    Of later chapters, those that the workspace holds or the sheet has begun. Raises BadInputError
    where the file cannot be read.
    """
    whole = (packs.load().root / "SHAPES.md").read_text(encoding="utf-8")
    text = sheet.read(path)
    solution = sheet.without(whole, _not_asked(text, workspace))
    memory = None if workspace is None else workspace.root / ".attnpack" / MEMORY
    tries = {} if memory is None else sheet.tries_of(memory)
    marked = sheet.mark(text, solution, tries)
    if memory is not None:
        sheet.remember(memory, tries, marked)
    _show_marks(marked, console)
    if workspace is not None:
        _offer_bugs(workspace, console)
    return all(one.mark is Mark.RIGHT for one in marked)


def _not_asked(text: str, workspace: Workspace | None) -> set[str]:
    """The sections of chapters that are neither held nor begun."""
    first, *others = packs.load().chapters
    held = (first.name, *([c.name for c in workspace.chapters] if workspace else ()))
    later = {e.name for each in others if each.name not in held for e in each.exercises}
    return later - {cell.section for cell in sheet.cells(text) if sheet.axes(cell)}


def _show(tables: Sequence[Table], console: Console) -> None:
    from rich import box
    from rich.table import Table as Drawn

    sizes = ", ".join(f"{name} = {size}" for name, size in sizes_in(tables).items())
    console.print(f"Run with {sizes}.", soft_wrap=True)
    for one in tables:
        console.print(f"\n{one.subject}", style="bold")
        drawn = Drawn(box=box.SIMPLE_HEAD)
        for heading in ("line", "tensor", "symbols", "numbers"):
            drawn.add_column(heading, overflow="fold")
        for row in one.rows:
            drawn.add_row(row.place, row.name, row.symbols, str(row.shape))
        console.print(drawn)
        if one.cut_off:
            console.print(CUT_OFF, soft_wrap=True)


def _show_marks(marked: Iterable[sheet.Marked], console: Console) -> None:
    from rich import box
    from rich.table import Table as Drawn

    drawn = Drawn("", "class", "tensor", "column", "yours", "", box=box.SIMPLE_HEAD)
    counts = dict.fromkeys(Mark, 0)
    for one in marked:
        counts[one.mark] += 1
        if one.mark is Mark.WRONG:
            cell = one.cell
            drawn.add_row(
                one.mark.value, cell.section, cell.tensor, cell.column, cell.text, one.hint
            )
    if counts[Mark.WRONG]:
        console.print(drawn)
    console.print(
        f"{counts[Mark.RIGHT]} right, {counts[Mark.WRONG]} wrong, {counts[Mark.EMPTY]} empty.",
        soft_wrap=True,
    )


def _offer_bugs(workspace: Workspace, console: Console) -> None:
    """Rows for the sheet's last section, out of what `check` found on the way."""
    met = [
        (bug, exercise)
        for exercise, progress in workspace.state.exercises.items()
        for bug in progress.bugs_met
    ]
    if not met:
        return
    console.print('\nBugs that check found on the way, for "Where I had bugs":', soft_wrap=True)
    for bug, exercise in met:
        console.print(f"| {bug} | {exercise} |  |  |", soft_wrap=True)

"""The listing of `attnpack trace`: source lines, and behind each the tensors that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from attnpack.calls import Outcome
from attnpack.report import words
from attnpack.submission.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType

    from attnpack.checking.one_exercise import Annotated
    from attnpack.pack.kinds import Annotation
    from attnpack.report.glyphs import Glyphs
    from attnpack.submission import Submission

UNNAMED = "no right value"
LEGEND = (
    "Behind a line: what it made, its shape in symbols, and the tensor it is. A value without a "
    "name is nothing that a right run holds."
)
_MOST_SHOWN = 36
"""numbers of an array; of a larger one its corners"""
_GAP = 2
_NARROWEST = 60


class Listing:
    """The traced lines of one exercise with their surroundings."""

    def __init__(self, run: Annotated, submission: Submission, glyphs: Glyphs) -> None:
        self.run = run
        self.submission = submission
        self.glyphs = glyphs
        self.places = Places(submission.root, submission.cells)

    def __rich_console__(self, console: Console, options: object) -> Iterator[RenderableType]:
        """For rich: file by file, line by line."""
        width = max(console.width, _NARROWEST)
        yield Text(self.glyphs.text(LEGEND), style="dim")
        for file in self._files():
            yield Text("")
            if not self.places.cells:
                yield Text(file, style="bold")
            yield from self._lines(file, width)
        ended = self.run.ended
        if ended.outcome is not Outcome.RETURNED:
            yield Text("")
            what = words.raised(ended.raised) if ended.raised else str(ended.outcome)
            yield Text(self.glyphs.text(f"The call ended early: {what}"), style="bold")

    def _files(self) -> list[str]:
        named = [a.file for a in self.run.annotations]
        own = [self.run.report.file] if self.run.report.file else []
        return [f for f in dict.fromkeys([*own, *named]) if f in self.submission.sources]

    def _lines(self, file: str, width: int) -> Iterator[Text]:
        source = self.submission.sources[file].splitlines()
        by_line: dict[int, list[Annotation]] = {}
        for annotation in self.run.annotations:
            if annotation.file == file:
                by_line.setdefault(annotation.line, []).append(annotation)
        marked = self._marked(file)
        shown = self._shown(file, by_line, marked, len(source))
        cell = None
        for number in shown:
            if (here := self.places.cell(number)) is not cell and here is not None:
                yield Text(here.name, style="bold")
            cell = here
            made, bug = by_line.get(number, []), marked.get(number)
            yield from self._line(file, number, source[number - 1], made, bug, width)

    def _marked(self, file: str) -> dict[int, str]:
        """The line of each named bug."""
        failing = self.run.report.failing
        cards = self.submission.pack.bugs()
        bugs = failing.bugs if failing else ()
        places = [(bug.line, cards[bug.id].card.title) for bug in bugs if bug.file == file]
        return {line: title for line, title in reversed(places) if line is not None}

    def _shown(
        self, file: str, by_line: dict[int, list[Annotation]], marked: dict[int, str], last: int
    ) -> range:
        report = self.run.report
        numbers = [*by_line, *marked]
        if report.file == file and report.line is not None:
            numbers.append(report.line)
        return range(max(1, min(numbers, default=1)), min(last, max(numbers, default=last)) + 1)

    def _values(self, file: str, number: int) -> Iterator[Text]:
        """What the expression at fault was in a failing call, and what it should have been."""
        here = [place for place in self.run.places if place.span[:2] == (file, number)]
        for place in here[:1]:
            if place.came is None or place.meant is None:
                continue
            meant = f"and the right value{f', {place.right},' if place.right else ''} is"
            yield Text(self.glyphs.text(f"       in {place.call}"), style="dim")
            yield Text(self.glyphs.text(f"       {place.text} was{written(place.came)}"))
            yield Text(self.glyphs.text(f"       {meant}{written(place.meant)}"))

    def _line(
        self,
        file: str,
        number: int,
        source: str,
        made: list[Annotation],
        bug: str | None,
        width: int,
    ) -> Iterator[Text]:
        pointer = self.glyphs.pointer if bug else " "
        line = Text(f"{pointer} {self.places.number(number):>4} ")
        line.append(self.glyphs.text(source.expandtabs(4)))
        notes = [self.glyphs.text(_note(annotation)) for annotation in made]
        if len(notes) == 1 and line.cell_len + _GAP + len(notes[0]) <= width:
            line.append(" " * (width - line.cell_len - len(notes[0])))
            line.append(notes[0], style="cyan")
            notes = []
        yield line
        for note in notes:
            yield Text(note.rjust(width), style="cyan")
        if bug:
            departs = self.glyphs.text(f"{self.glyphs.pointer} departs here: {bug}")
            yield Text(departs.rjust(width), style="bold")
            yield from self._values(file, number)


def _note(annotation: Annotation) -> str:
    known = annotation.known or UNNAMED
    return f"{annotation.name} {annotation.shape} {known}"


def written(array: Any) -> str:
    """An array's numbers: on the line where it is one number or a short row, else below it."""
    import numpy as np

    numbers = np.asarray(array)
    if numbers.ndim == 0:
        return f" {numbers.item()}" if numbers.dtype.kind in "biu" else f" {numbers.item():.6g}"
    with np.printoptions(precision=4, suppress=True, threshold=_MOST_SHOWN, edgeitems=2):
        lines = str(numbers).splitlines()
    if len(lines) == 1:
        return f" {lines[0]}"
    return "\n".join([f" {numbers.shape}", *(f"           {line}" for line in lines)])

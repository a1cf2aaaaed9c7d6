"""A report for the terminal: the table, the panel of the first failure, notes, what is next.

Every function returns a renderable; only `console` knows a stream.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from attnpack.report import boxes, words
from attnpack.report import failure as failures
from attnpack.report.screen import Screen
from attnpack.report.untrusted import capped, printable
from attnpack.submission.places import FILES, Places
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console

    from attnpack.pack import Card, Pack
    from attnpack.pack.kinds import Note
    from attnpack.report.glyphs import Glyphs
    from attnpack.report.model import CheckReport, ExerciseReport, Report

ROOMY = 1000
"""columns that no table needs"""
WIDE = 100
"""columns from which on the exercises' names are written on one line"""
_AT_A_STAGE = (Status.FAILED, Status.ERROR)
STYLE: Mapping[Status, str] = {
    Status.PASSED: "green",
    Status.FAILED: "bold red",
    Status.ERROR: "bold magenta",
    Status.NOT_STARTED: "yellow",
    Status.SKIPPED: "dim",
}


@dataclass(frozen=True)
class View:
    """A report with all that is needed to draw it."""

    report: Report
    pack: Pack
    cards: Mapping[str, Card]
    sources: Mapping[str, str]
    """the learner's files: name -> text"""
    next_steps: Sequence[str]
    glyphs: Glyphs
    places: Places = FILES
    remarks: Sequence[str] = ()
    """about the submission's files"""
    news: str = ""
    """what is other than at the last check"""

    @property
    def failing(self) -> list[failures.Failure]:
        """The wrong and the raising exercises, as drawable failures."""
        drawn = (
            failures.of(e, self.cards, self.sources, self.glyphs, self.places)
            for e in self.report.exercises
        )
        return [failure for failure in drawn if failure is not None]


def console(stream: IO[str] | None = None) -> Console:
    """A console on the stream (standard output): plain where it is a pipe or NO_COLOR is set."""
    return Screen(file=stream)


def as_text(*shown: RenderableType, width: int) -> str:
    """What a terminal without colours would show, whatever this process runs in."""
    stream = io.StringIO()
    Screen(
        file=stream,
        width=width,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
    ).print(*shown, sep="\n")
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


class Page:
    """The whole report. Chooses the form of the table by the width that it is given."""

    def __init__(self, view: View) -> None:
        self.view = view

    def __rich_console__(self, console: Console, options: object) -> Iterator[RenderableType]:
        """For rich: the parts from top to bottom."""
        view = self.view
        drawn = [table(view, console)]
        framed = list(_failures(view.failing))
        yield from _spaced([drawn, list(_skipped(view)), *_explained(view, framed)])


def explanation(view: View) -> Group:
    """Of the report on one exercise: all but the table, without a frame."""
    unframed = [failures.panel(failure).renderable for failure in view.failing]
    return Group(*_spaced(_explained(view, unframed)))


def _explained(view: View, failing: list[RenderableType]) -> list[list[RenderableType]]:
    return [
        *(list(part) for part in _printed(view)),
        failing or list(unfinished(view)),
        list(_stand_ins(view)),
        list(_notes(view)),
        [Text(view.glyphs.text(view.news), style="bold")] if view.news else [],
        [Text(view.glyphs.text(step), style="bold") for step in view.next_steps],
    ]


def _spaced(sections: Sequence[Sequence[RenderableType]]) -> Iterator[RenderableType]:
    for number, section in enumerate(filter(None, sections)):
        if number:
            yield Text()
        yield from section


def table(view: View, console: Console) -> RenderableType:
    """The exercises and how each ended, in the form that the console has room for."""
    drawn = _across(view, wide=console.width >= WIDE)
    unbounded = console.options.update(max_width=ROOMY)
    if console.measure(drawn, options=unbounded).maximum > console.width:
        drawn = _narrow(view)
    return Group(drawn, Text(), _legend(view), _summary(view))


def _across(view: View, *, wide: bool) -> Table:
    """Exercises down, stages across; a mark and a word for each, whatever the colours."""
    asked = {check.stage for exercise in view.report.exercises for check in exercise.checks}
    stages = [stage for stage in view.pack.stages if stage in asked]
    drawn = Table(box=boxes.of_table(view.glyphs), show_edge=False, pad_edge=False, padding=0)
    drawn.add_column("\nexercise", no_wrap=True)
    drawn.add_column("\nstatus", no_wrap=True)
    for stage in stages:
        drawn.add_column(stage.heading, justify="center", no_wrap=True)
    for exercise in view.report.exercises:
        cells = [_cell(_check(exercise, stage), view.glyphs) for stage in stages]
        name = exercise.name if wide else exercise.name.replace("product_", "product_\n")
        drawn.add_row(name, _worded(exercise.status, view.glyphs), *cells)
    return drawn


def _narrow(view: View) -> Table:
    """Exercises down, and beside each the stage that did not pass. Nothing of it is cut off."""
    drawn = Table(box=boxes.of_table(view.glyphs), show_edge=False, pad_edge=False, padding=(0, 1))
    for heading in ("exercise", "status", "at"):
        drawn.add_column(heading, overflow="fold")
    for exercise in view.report.exercises:
        failing = exercise.failing
        at = words.stage_label(failing.stage) if failing and exercise.status in _AT_A_STAGE else ""
        name = exercise.name.replace("product_", "product_\n")
        drawn.add_row(name, _worded(exercise.status, view.glyphs), at)
    return drawn


def _check(exercise: ExerciseReport, stage: str) -> CheckReport | None:
    return next((check for check in exercise.checks if check.stage == stage), None)


def _cell(check: CheckReport | None, glyphs: Glyphs) -> Text:
    if check is None:
        return Text()
    mark = glyphs.would_pass if check.would_pass else glyphs.marks[check.status]
    return Text(mark, style=STYLE[check.status])


def _worded(status: Status, glyphs: Glyphs) -> Text:
    return Text(f"{glyphs.marks[status]} {words.STATUS_WORD[status]}", style=STYLE[status])


def _legend(view: View) -> Text:
    """The marks of the table in words."""
    checks = [check for exercise in view.report.exercises for check in exercise.checks]
    used = {check.status for check in checks if not check.would_pass}
    marks = [_worded(status, view.glyphs) for status in Status if status in used]
    if any(check.would_pass for check in checks):
        said = f"{view.glyphs.would_pass} {words.RIGHT_ANYWAY}"
        marks.append(Text(said, style=STYLE[Status.SKIPPED]))
    return Text("   ").join(marks)


def _summary(view: View) -> Text:
    report = view.report
    passed = sum(e.status is Status.PASSED for e in report.exercises)
    count = len(report.exercises)
    said = f"{passed} of {count} passed"
    if passed == count > 1:
        said = words.ALL_PASSED.format(count=count)
    return Text(f"{said}  (backend {report.backend}, seed {report.seed})")


def _skipped(view: View) -> Iterator[RenderableType]:
    because = next((e.skipped_because for e in view.report.exercises if e.skipped_because), None)
    if because is not None:
        yield Text(view.glyphs.text(words.skipped(because)))


def _printed(view: View) -> Iterator[tuple[RenderableType, ...]]:
    for exercise in view.report.exercises:
        if exercise.output.strip():
            title = Text(f"{exercise.name}, {words.PRINTED}:", style="bold")
            said = Text(view.glyphs.text(capped(exercise.output)))
            yield title, Padding(said, (0, 0, 0, 2), expand=False)


def _failures(failing: Sequence[failures.Failure]) -> Iterator[RenderableType]:
    """The first in a panel, the others in a line each."""
    for failure in failing[:1]:
        yield failures.panel(failure)
    for failure in failing[1:]:
        yield _in_a_line(failure)


def _stand_ins(view: View) -> Iterator[RenderableType]:
    helped = [exercise for exercise in view.report.exercises if exercise.stand_ins]
    if helped:
        names = dict.fromkeys(name for exercise in helped for name in exercise.stand_ins)
        said = words.stood_in([exercise.name for exercise in helped], list(names))
        yield Text(view.glyphs.text(said))


def unfinished(view: View) -> Iterator[RenderableType]:
    """The first exercise that is not written."""
    waiting = [e for e in view.report.exercises if e.status is Status.NOT_STARTED]
    for exercise in waiting[:1]:
        file = exercise.file or view.pack.exercise(exercise.name).file
        said = exercise.failing.message if exercise.failing else ""
        yield Text(view.glyphs.text(said or words.not_started(exercise.name, file, None)))


def _in_a_line(failure: failures.Failure) -> Text:
    """A later failure: the panel is for the first alone."""
    ids = words.listed([bug.id for bug in failure.explaining])
    stage = words.stage_label(failure.check.stage)
    return Text(f"also {failure.exercise.name}: {stage}" + (f", {ids}" if ids else ""))


def _notes(view: View) -> Iterator[RenderableType]:
    lines = [*view.remarks]
    for exercise in view.report.exercises:
        lines += [_noted(exercise.name, note, view.places) for note in exercise.notes]
    if lines:
        yield Text(f"{words.NOTES}:", style="bold")
    for line in lines:
        yield Padding(Text(view.glyphs.text(printable(line))), (0, 0, 0, 2), expand=False)


def _noted(exercise: str, note: Note, places: Places) -> str:
    where = f" ({places.words(note.file, note.line)})" if note.file and note.line else ""
    return f"{exercise}: {note.text}{where}"

"""The panel of one failure: what came, what was expected, which bug, which line, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from attnpack.report import boxes, words
from attnpack.report.untrusted import capped, one_line, printable
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console, ConsoleOptions

    from attnpack.calls import Raised
    from attnpack.pack.cards import Card
    from attnpack.pack.kinds import Comparison
    from attnpack.report.glyphs import Glyphs
    from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Spot
    from attnpack.submission.places import Places

CONTEXT = 2
"""lines of the learner's code above and below the one pointed at"""


@dataclass(frozen=True)
class Failure:
    """One stage of one exercise that did not pass, with what is needed to draw it."""

    exercise: ExerciseReport
    check: CheckReport
    cards: Mapping[str, Card]
    sources: Mapping[str, str]
    """the learner's files, to show the line that a diagnosis points at"""
    glyphs: Glyphs
    places: Places

    @property
    def explaining(self) -> tuple[NamedBug, ...]:
        """The best explanation: one bug, or the several that explain the numbers together."""
        together = tuple(bug for bug in self.check.bugs if bug.together)
        return together if self.check.bugs and self.check.bugs[0].together else self.check.bugs[:1]


def panel(failure: Failure) -> Panel:
    """The failure, framed."""
    return Panel(
        Group(Text(message(failure)), *_parts(failure)),
        title=Text(heading(failure), style="bold red"),
        title_align="left",
        box=boxes.of_panel(failure.glyphs),
        border_style="red",
        padding=(1, 2),
    )


def heading(failure: Failure) -> str:
    """The exercise and the stage that did not pass."""
    stage = words.stage_label(failure.check.stage)
    return f"{failure.glyphs.marks[failure.check.status]} {failure.exercise.name}: {stage}"


def excerpt(
    source: str,
    line: int,
    glyphs: Glyphs,
    places: Places,
    context: int = CONTEXT,
    spot: Spot | None = None,
) -> Text:
    """A line of the learner's code with its neighbours, pointed at; the expression underlined."""
    lines = printable(source).rstrip("\n").split("\n")
    first, last = max(1, line - context), min(len(lines), line + context)
    around = [number for number in range(first, last + 1) if places.beside(number, line)]
    text = Text()
    for number in around:
        here = number == line
        pointer = glyphs.pointer if here else " "
        shown = f"{places.number(number):>{len(str(last))}}"
        row = f"{pointer} {shown} {glyphs.bar} {lines[number - 1]}"
        text.append(glyphs.text(row.rstrip()), style="bold yellow" if here else "not bold")
        if here and spot is not None:
            before = row[: len(row) - len(lines[number - 1])]
            text.append(f"\n{' ' * len(before)}{_carets(lines[number - 1], spot)}", "bold yellow")
        text.append("\n" if number < around[-1] else "")
    return text


class Folded:
    """An excerpt where room is short: of a line that is broken, each part keeps its carets."""

    def __init__(self, code: Text) -> None:
        self.code = code

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """For rich: line by line."""
        width, lines = options.max_width, list(self.code.split("\n")) if self.code else []
        while lines:
            line = lines.pop(0)
            marks = lines.pop(0) if lines and _is_carets(lines[0].plain) else Text()
            for start in range(0, max(1, len(line)), width):
                yield line[start : start + width]
                if marks[start : start + width].plain.strip():
                    yield marks[start : start + width]


def _is_carets(row: str) -> bool:
    return "^" in row and set(row) <= set(" \t^")


def _carets(line: str, spot: Spot) -> str:
    """The mark under a line, as compilers draw it."""
    first, last = spot.column - 1, min(spot.end_column - 1, len(line))
    kept = "".join("\t" if letter == "\t" else " " for letter in line[:first])
    return f"{kept}{'^' * max(1, last - first)}"


def message(failure: Failure) -> str:
    """What the stage says, in characters that the terminal has."""
    raised = failure.check.raised
    if raised is not None and not failure.check.message:
        return failure.glyphs.text(one_line(words.raised(raised), 1000))
    return failure.glyphs.text(printable(failure.check.message))


def _parts(failure: Failure) -> Iterator[RenderableType]:
    if failure.check.comparison is not None:
        yield Text()
        yield from _comparison(failure.check.comparison, failure.glyphs)
    if failure.check.raised is not None:
        yield Text()
        yield Text("traceback", style="bold")
        code = _traceback(failure.check.raised, failure)
        yield Padding(code, (0, 0, 0, 2), expand=False)
    bugs = failure.explaining
    if len(bugs) > 1:
        yield Text()
        how_sure = words.match_sentence(bugs[0].match, together=True)
        yield _row("together", failure.glyphs.text(f"{words.TOGETHER}\n{how_sure}"))
    for bug in bugs:
        yield Text()
        yield from _bug(bug, failure)
    others = [bug for bug in failure.check.bugs if bug not in bugs]
    if others:
        yield Text()
        yield _row("or else", "\n".join(titled(bug, failure) for bug in others))


def _row(label: str, content: str | Text) -> Table:
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(style="bold", width=len(words.EXPECTED), overflow="fold")
    row.add_column(ratio=1, overflow="fold")
    row.add_row(label, Text(content) if isinstance(content, str) else content)
    return row


def _comparison(comparison: Comparison, glyphs: Glyphs) -> Iterator[RenderableType]:
    for label, said in compared(comparison, glyphs):
        yield _row(label, said)


def compared(comparison: Comparison, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    """What came and what was expected, each with its label."""
    expected, got = numbers(comparison.expected, comparison.got)
    index = comparison.first_index
    at = "" if index is None else f" at {list(index)}"
    yield "the call", glyphs.text(comparison.call)
    yield words.EXPECTED, _side(expected, at, comparison.expected_shape)
    dtype = f", {one_line(comparison.got_dtype)}" if comparison.got_dtype else ""
    yield words.GOT, _side(got, at, comparison.got_shape) + dtype
    if comparison.differing is not None and comparison.size is not None:
        largest = comparison.largest_difference
        by = "" if largest is None else f", by up to {largest:.6g}"
        yield "differing", f"{comparison.differing} of {comparison.size} numbers{by}"


def _side(value: str, at: str, shape: tuple[int, ...] | None) -> str:
    parts = [f"{value}{at}"] if value else []
    if shape is not None:
        parts.append(f"shape {shape}")
    return ", ".join(parts) or "-"


def numbers(expected: float | None, got: float | None) -> tuple[str, str]:
    """Both numbers as short as they can be and still differ."""
    values = [value for value in (expected, got) if value is not None]
    short = {f"{value:.6g}" for value in values}
    digits = 6 if len(short) == len(set(values)) else 17
    written = ["" if value is None else f"{value:.{digits}g}" for value in (expected, got)]
    return written[0], written[1]


def _traceback(raised: Raised, failure: Failure) -> Text:
    glyphs = failure.glyphs
    text = Text()
    for frame in raised.frames:
        place = failure.places.words(frame.file, frame.line)
        text.append(f"{one_line(place)}, in {one_line(frame.function)}\n")
        text.append(f"    {glyphs.text(one_line(frame.text))}\n", style="yellow")
    if failure.check.caret is not None:
        text.append(f"{under(failure.check.caret)}\n", style="bold yellow")
    return text.append(glyphs.text(last_line(raised)), style="bold")


def under(caret: tuple[int, int]) -> str:
    """The mark under the last line of code of a traceback, as Python draws it."""
    first, last = caret
    return f"    {' ' * first}{'^' * (last - first)}"


def last_line(raised: Raised) -> str:
    """The exception as it ends a traceback; its class, too, has a name that the learner chose."""
    kind, said = one_line(raised.type), capped(raised.message, lines=6, characters=1000)
    return f"{kind}: {said}" if said else kind


def _bug(bug: NamedBug, failure: Failure) -> Iterator[RenderableType]:
    glyphs = failure.glyphs
    card = failure.cards.get(bug.id)
    raised = failure.check.status is Status.ERROR
    how_sure = "" if bug.together or raised else words.match_sentence(bug.match)
    if bug.match is Match.UNKNOWN:
        yield _row(words.BUG, glyphs.text(how_sure))
    else:
        title = Text(titled(bug, failure), style="bold")
        yield _row(words.BUG, title.append(glyphs.text(f"\n{how_sure}".rstrip()), "not bold"))
    if bug.file is not None and bug.line is not None:
        source = failure.sources.get(bug.file, "")
        code = excerpt(source, bug.line, glyphs, failure.places, spot=bug.spot)
        yield _row(words.LOOK_AT, _linked(bug.file, bug.line, failure))
        yield Padding(Folded(code), (0, 0, 0, 2), expand=False)
        proof = words.proof(bug.spot)
        if proof:
            yield _row(words.PROOF, glyphs.text(proof))
    elif failure.check.raised is None and bug.match is not Match.UNKNOWN:
        yield _row(words.LOOK_AT, glyphs.text(words.NO_LINE))
    if failure.check.advice:
        yield _row(words.FIX, glyphs.text(failure.check.advice))
    elif card is not None:
        yield _row(words.HURTS, glyphs.text(card.hurts))
        yield _row(words.FIX, glyphs.text(card.fix))


def _linked(file: str, line: int, failure: Failure) -> Text:
    """The place, as a link to the file in terminals that have links."""
    place = Text(one_line(failure.places.words(file, line)))
    link = failure.places.link(file)
    if link is not None:
        place.stylize(Style(link=link))
    return place


def titled(bug: NamedBug, failure: Failure) -> str:
    """The bug's title and its id."""
    card = failure.cards.get(bug.id)
    return failure.glyphs.text(f"{card.title} ({bug.id})" if card else bug.id)


def of(
    exercise: ExerciseReport,
    cards: Mapping[str, Card],
    sources: Mapping[str, str],
    glyphs: Glyphs,
    places: Places,
) -> Failure | None:
    """The failure of an exercise; None where it passed, was skipped or is not written yet."""
    check = exercise.failing
    if check is None or exercise.status not in (Status.FAILED, Status.ERROR):
        return None
    return Failure(exercise, check, cards, sources, glyphs, places)

"""The verdict that fits on one screen: the bug, the line, why, what to do, how to see the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from attnpack.report import failure as failures
from attnpack.report import words
from attnpack.report.terminal import STYLE, Page, unfinished
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from attnpack.report.failure import Failure
    from attnpack.report.model import NamedBug
    from attnpack.report.terminal import View

_LABELS: Final = len(words.FIX)
_INDENT: Final = 2


@dataclass(frozen=True)
class Detail:
    """How much is told."""

    context: int
    """lines of code above and below the one pointed at"""
    whys: int
    """sentences of why it hurts"""
    fixes: int
    """sentences of what to do"""


DETAILS: Final = (
    Detail(context=2, whys=1, fixes=9),
    Detail(context=1, whys=1, fixes=9),
    Detail(context=1, whys=1, fixes=2),
    Detail(context=0, whys=1, fixes=1),
    Detail(context=0, whys=0, fixes=1),
)
"""the most first; the last is shown whether it fits or not"""


def fitting(view: View, console: Console, room: int, whole: str) -> RenderableType:
    """The report in so many lines of a screen: the whole page where it fits.

    `whole` says how to see the rest.
    """
    page = Page(view)
    if _height(page, console) <= room:
        return page
    briefs = [_brief(view, detail, whole) for detail in DETAILS]
    return next((brief for brief in briefs if _height(brief, console) <= room), briefs[-1])


def _height(drawn: RenderableType, console: Console) -> int:
    return len(console.render_lines(drawn, pad=False))


def _brief(view: View, detail: Detail, whole: str) -> RenderableType:
    parts: list[RenderableType] = [_standing(view)]
    if view.failing:
        parts += [Text(), *_failure(view.failing[0], detail)]
    else:
        parts += [Text(), *unfinished(view)]
    if view.news:
        parts.append(Text(view.glyphs.text(view.news), style="bold"))
    steps = [Text(view.glyphs.text(step), style="bold") for step in view.next_steps]
    return Group(*parts, Text(), *steps, Text(view.glyphs.text(whole)))


def _standing(view: View) -> Text:
    """How many exercises ended how."""
    ended = [exercise.status for exercise in view.report.exercises]
    counts = [(status, ended.count(status)) for status in Status if status in ended]
    said = [
        Text(f"{view.glyphs.marks[status]} {count} {words.STATUS_WORD[status]}", STYLE[status])
        for status, count in counts
    ]
    return Text("   ").join(said).append(f"  (seed {view.report.seed})", "not bold")


def _failure(failure: Failure, detail: Detail) -> Iterator[RenderableType]:
    yield Text(failures.heading(failure), style="bold red")
    message = _sentences(failures.message(failure), 1)
    yield Padding(Text(message), (0, 0, 0, _INDENT), expand=False)
    for bug in failure.explaining:
        yield from _bug(bug, failure, detail)


def _bug(bug: NamedBug, failure: Failure, detail: Detail) -> Iterator[RenderableType]:
    card, advice = failure.cards.get(bug.id), failure.check.advice
    if bug.match is not Match.UNKNOWN:
        sure = "" if failure.check.status is Status.ERROR else f", {bug.match.value}"
        yield _row(words.BUG, Text(f"{failures.titled(bug, failure)}{sure}", style="bold"))
    else:
        yield _row(words.BUG, words.match_sentence(bug.match))
    if bug.file is not None and bug.line is not None:
        source = failure.sources.get(bug.file, "")
        yield _row(words.LOOK_AT, failure.places.words(bug.file, bug.line))
        code = failures.excerpt(
            source, bug.line, failure.glyphs, failure.places, detail.context, bug.spot
        )
        yield Padding(failures.Folded(code), (0, 0, 0, _INDENT), expand=False)
        proof = words.proof(bug.spot)
        if proof and detail.whys:
            yield _row("", proof)
    if advice:
        yield _row(words.FIX, failure.glyphs.text(advice))
    elif card is not None:
        if detail.whys:
            yield _row(words.WHY, failure.glyphs.text(_sentences(card.hurts, detail.whys)))
        yield _row(words.FIX, failure.glyphs.text(_sentences(card.fix, detail.fixes)))


def _row(label: str, content: str | Text) -> Table:
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(style="bold", width=_LABELS, overflow="fold")
    row.add_column(ratio=1, overflow="fold")
    row.add_row(label, content)
    return row


def _sentences(text: str, most: int) -> str:
    """The first sentences of a text."""
    ends = [match.end() for match in re.finditer(r"[.!?:](?=\s+[A-Z\"])", text)]
    return text if len(ends) < most else text[: ends[most - 1]]

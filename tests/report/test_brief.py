"""The verdict on one screen, and what of it is new."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import samples
from rich.console import Console

from attnpack import pack
from attnpack.report import brief, glyphs, terminal
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Spot
from attnpack.terms import Match, Proof, Status
from attnpack.workspace import news
from attnpack.workspace.progress import Progress, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.report.model import Report

NEXT = ("Next: mend softmax.py:6, then type: attnpack check", "Help: attnpack hint softmax")
WHOLE = "The whole report: attnpack check --full"
ROOM = 23
"""of a terminal of 24 lines, in whose last one stands the prompt"""


def view(report: Report, **changes: object) -> terminal.View:
    known = pack.load()
    cards = {**samples.CARDS, **{bug.id: bug.card for bug in known.bugs().values()}}
    made = terminal.View(report, known, cards, samples.SOURCES, NEXT, glyphs.UNICODE)
    return replace(made, **changes)


def screen(shown: terminal.View, room: int = ROOM, width: int = 80) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None, markup=False, highlight=False)
    console.print(brief.fitting(shown, console, room, WHOLE))
    return stream.getvalue()


@pytest.mark.parametrize("name", samples.REPORTS)
def test_each_report_on_a_small_screen_looks_as_it_did(
    name: str, golden: Callable[[str, str], None]
) -> None:
    golden(f"terminal/{name}-80x24.txt", screen(view(samples.REPORTS[name])))


@pytest.mark.parametrize("name", samples.REPORTS)
def test_each_report_fits_a_small_screen(name: str) -> None:
    assert len(screen(view(samples.REPORTS[name])).splitlines()) <= ROOM


@pytest.mark.parametrize("bug", pack.load().bugs())
def test_each_bug_fits_a_small_screen_with_its_line_and_what_to_do(bug: str) -> None:
    named = NamedBug(bug, Match.EXACT, "softmax.py", 6)
    failing = CheckReport("values", Status.FAILED, "softmax(scores (5, 7)): " + "x " * 60, (named,))
    text = screen(view(samples.report(ExerciseReport("softmax", Status.FAILED, (failing,)))))
    assert len(text.splitlines()) <= ROOM
    assert f"({bug})" in " ".join(text.split())
    assert "❯ 6 │" in text
    assert "what to do" in text
    assert WHOLE in text


def test_what_fits_is_shown_whole() -> None:
    text = screen(view(samples.STOPPED), room=60)
    assert WHOLE not in text
    assert "what came" in text


def test_the_whole_report_and_the_brief_one_say_what_is_new() -> None:
    shown = view(samples.STOPPED, news="New since your last check: scale-missing.")
    for room in (ROOM, 60):
        assert "New since your last check: scale-missing." in screen(shown, room)


def state(**known: Progress) -> State:
    return State("sha256:0", "numpy", exercises=known)


def ended(status: Status, bug: str | None = None) -> Report:
    bugs = (NamedBug(bug, Match.EXACT),) if bug else ()
    check = CheckReport("values", status, bugs=bugs)
    return samples.report(ExerciseReport("softmax", status, (check,)))


FAILED_BEFORE = Progress(Status.FAILED, bug="softmax-global-max")


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (FAILED_BEFORE, ended(Status.PASSED), "softmax passes"),
        (FAILED_BEFORE, ended(Status.FAILED, "softmax-global-max"), ""),
        (
            FAILED_BEFORE,
            ended(Status.FAILED, "softmax-over-queries"),
            "softmax-over-queries in place of softmax-global-max",
        ),
        (Progress(Status.PASSED), ended(Status.FAILED, "scale-missing"), "no longer passes"),
        (Progress(), ended(Status.FAILED, "scale-missing"), ""),
        (Progress(), ended(Status.PASSED), ""),
    ],
)
def test_only_what_is_other_than_at_the_last_check_is_new(
    before: Progress, now: Report, said: str
) -> None:
    told = news.since(state(softmax=before), now)
    assert said in told
    assert bool(told) is bool(said)


def test_a_broken_line_of_code_keeps_its_carets_under_its_own_part() -> None:
    from attnpack.report.failure import Folded, excerpt
    from attnpack.submission.places import FILES

    line = "x = " + "a" * 30 + " + wrong(b)"
    start = line.index("wrong")
    code = excerpt(
        f"{line}\n",
        1,
        glyphs.UNICODE,
        FILES,
        0,
        Spot(start + 1, len(line) + 1, "wrong(b)", Proof.TRACED),
    )
    rows = terminal.as_text(Folded(code), width=30).splitlines()
    marked = next(number for number, row in enumerate(rows) if "^" in row)
    assert rows[marked].index("^") == rows[marked - 1].index("wrong")
    assert "".join(rows[:marked]).count("a" * 5) > 0
    assert "^" not in rows[0]

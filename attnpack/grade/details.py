"""What a failing check shows, as `attnpack check` shows it: the call, both sides, the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.report import failure as failures
from attnpack.report import glyphs
from attnpack.submission.places import Places
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.report.model import CheckReport, Report
    from attnpack.submission import Submission

_SHOWN = 4000
"""characters of code"""


def details(report: Report, submission: Submission) -> dict[str, dict[str, Any]]:
    """Exercise -> `stage`, `facts` (label and text) and `code` of its failing check."""
    return {
        exercise.name: {
            "stage": exercise.failing.stage,
            "facts": list(_facts(exercise.failing)),
            "code": _code(exercise.failing, submission),
        }
        for exercise in report.exercises
        if exercise.failing and exercise.status in (Status.FAILED, Status.ERROR)
    }


def _facts(check: CheckReport) -> Iterator[list[str]]:
    if check.comparison is not None:
        for label, said in failures.compared(check.comparison, glyphs.UNICODE):
            yield [label, said]


def _code(check: CheckReport, submission: Submission) -> str:
    """The lines around the one that the diagnosis, or else the exception, points to."""
    placed = [(bug.file, bug.line) for bug in check.bugs[:1] if bug.file and bug.line]
    if check.raised is not None:
        placed += [(frame.file, frame.line) for frame in reversed(check.raised.frames)]
    for file, line in placed:
        if file in submission.sources:
            places = Places(cells=() if file.endswith(".py") else submission.cells)
            text = failures.excerpt(submission.sources[file], line, glyphs.UNICODE, places)
            return text.plain[:_SHOWN]
    return ""

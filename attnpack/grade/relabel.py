"""A report that was made once, under the names of each submission it belongs to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.report.model import CheckReport, Report


def relabelled(report: Report, submission: str, shown: Mapping[str, str]) -> Report:
    """The report under the submission's own name and with its own file names."""
    exercises = tuple(
        replace(
            exercise,
            checks=tuple(_with_names(check, shown) for check in exercise.checks),
            notes=tuple(
                replace(note, file=renamed(note.file, shown) if note.file else None)
                for note in exercise.notes
            ),
        )
        for exercise in report.exercises
    )
    return replace(report, submission=submission, exercises=exercises)


def renamed(file: str, shown: Mapping[str, str]) -> str:
    """A file, or a cell of one (`work.ipynb (cell 3)`), by the student's name for it."""
    name, bracket, cell = file.partition(" (")
    return f"{shown.get(name, name)}{bracket}{cell}"


def _with_names(check: CheckReport, shown: Mapping[str, str]) -> CheckReport:
    bugs = tuple(
        replace(bug, file=renamed(bug.file, shown) if bug.file else None) for bug in check.bugs
    )
    message = check.message
    for name, own in shown.items():
        message = message.replace(f"({name}, line", f"({own}, line")
    return replace(check, bugs=bugs, message=message)

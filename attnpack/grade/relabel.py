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
                replace(note, file=shown.get(note.file or "", note.file)) for note in exercise.notes
            ),
        )
        for exercise in report.exercises
    )
    return replace(report, submission=submission, exercises=exercises)


def _with_names(check: CheckReport, shown: Mapping[str, str]) -> CheckReport:
    bugs = tuple(replace(bug, file=shown.get(bug.file or "", bug.file)) for bug in check.bugs)
    return replace(check, bugs=bugs)

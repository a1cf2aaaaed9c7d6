"""From a hand-in to what a judge is given: sources under names that tell nobody apart."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.report.model import CheckReport, Report

LONE_FILE = "attention.py"
"""what a lone file is judged as: equal texts are then one submission, whatever their names"""


@dataclass(frozen=True)
class Intake:
    """One submission, read."""

    submission: str
    sources: Mapping[str, str] = field(default_factory=dict)
    backend: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)
    """the name in `sources` -> the student's name for the file, where they differ"""
    problem: str = ""
    """why it cannot be read; then there are no sources"""

    @property
    def sha256(self) -> str:
        """The hash of backend, names and texts: equal for equal submissions."""
        text = json.dumps([self.backend, sorted(self.sources.items())])
        return hashlib.sha256(text.encode()).hexdigest()


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

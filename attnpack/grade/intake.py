"""From a hand-in to what a judge is given: sources under names that tell nobody apart."""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from attnpack import pack
from attnpack import submission as submissions
from attnpack.errors import BadInputError
from attnpack.grade.archive import UnreadableError
from attnpack.grade.discover import HandIn, read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.report.model import CheckReport, Report
    from attnpack.submission import Submission

LONE_STEM = "attention"
"""what a lone file is judged as: equal texts are then one submission, whatever their names"""
_CANNOT_BE_READ = (BadInputError, OSError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Intake:
    """One submission, read."""

    submission: str
    loaded: Submission | None = None
    """None where it cannot be read"""
    backend: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)
    """the name in the sources -> the student's name for the file, where they differ"""
    problem: str = ""
    """why it cannot be read"""

    @cached_property
    def sha256(self) -> str:
        """The hash of backend, names and texts: equal for equal submissions."""
        loaded = self.loaded
        facts = [loaded.sources, loaded.entries, loaded.form] if loaded else []
        text = json.dumps([self.backend, *facts], sort_keys=True)
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


def take_in(hand_in: HandIn, backend: str | None = None) -> Intake:
    """Read a hand-in. What cannot be read says so in `problem`; nothing is raised."""
    try:
        files = read(hand_in)
        if not files:
            raise UnreadableError("there is no .py file and no notebook in it")
        return _loaded(hand_in, files, backend)
    except UnreadableError as error:
        return Intake(hand_in.submission, problem=str(error))


def _loaded(hand_in: HandIn, files: Mapping[str, bytes], backend: str | None) -> Intake:
    """The files as `attnpack check` would load them, in a folder of their own for a moment."""
    shown = {}
    if len(files) == 1:
        [(name, content)] = files.items()
        lone = f"{LONE_STEM}{PurePath(name).suffix.lower()}"
        shown = {lone: hand_in.owner.file or name}
        files = {lone: content}
    with tempfile.TemporaryDirectory(prefix="attnpack-") as place:
        folder = Path(place)
        try:
            for name, content in files.items():
                (folder / name).write_bytes(content)
            loaded = _load(folder, sorted(files))
        except _CANNOT_BE_READ as error:
            raise UnreadableError(str(error).replace(place, hand_in.submission)) from error
    return Intake(
        submission=hand_in.submission,
        # Equal texts are equal submissions, whatever folder they came in.
        loaded=replace(loaded, root=Path(), name=LONE_STEM),
        backend=backend or loaded.backend.value,
        shown=shown,
    )


def _load(folder: Path, names: Sequence[str]) -> Submission:
    """The folder as a submission; where no file is named as an exercise, the fullest of them.

    Raises BadInputError and what reading files raises.
    """
    exercise_files = {exercise.file for exercise in pack.load().exercises}
    if not exercise_files.isdisjoint(names):
        return submissions.load(folder)
    candidates = [submissions.load(folder / name) for name in names]
    fullest = max(candidates, key=lambda candidate: len(candidate.entries))
    if len(candidates) == 1 or fullest.form is submissions.Form.NOTEBOOK:
        return fullest
    beside = {file: text for c in candidates for file, text in c.sources.items() if not c.cells}
    return replace(fullest, form=submissions.Form.FOLDER, sources={**beside, **fullest.sources})

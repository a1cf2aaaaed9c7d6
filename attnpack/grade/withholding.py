"""What a report for a student must not carry out of a guest that was given solutions.

Where an earlier exercise did not pass, the solution of it stands in, and its text lies in the
guest: what is printed there is not shown, and of an exception's message only its beginning. What
the short form printed (numbers that other students get, too) is left out where it is asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.pack.kinds import Note
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.calls import Frame, Raised
    from attnpack.pack import Pack
    from attnpack.report.model import CheckReport, ExerciseReport, Report
    from attnpack.submission import Submission

MOST_MESSAGE = 120
_TELLING = 12
"""characters of a line that give something away"""
NOT_SHOWN = (
    "What your code printed here is not shown: it ran beside the solution of {names}, which did "
    "not pass. To see it, run `attnpack check` on your own machine."
)


def withheld(report: Report, submission: Submission) -> Report:
    """The report without what may be the text of a solution; lines are quoted from the files."""
    passed = {e.name for e in report.exercises if e.status is Status.PASSED}
    exercises = []
    for exercise in report.exercises:
        own = _quoted(exercise, submission.sources)
        needs = submission.pack.exercise(exercise.name).needs
        helped = [name for name in needs if name not in passed]
        if helped:
            own = _short(own, helped, _lines(submission.pack, report.backend, helped))
        exercises.append(own)
    return replace(report, exercises=tuple(exercises))


def _lines(pack: Pack, backend: str, names: Sequence[str]) -> list[str]:
    """The lines of these solutions that say something."""
    paths = (pack.reference_path(backend, pack.exercise(name).file) for name in names)
    texts = (path.read_text(encoding="utf-8") for path in paths if path.is_file())
    lines = (line.strip() for text in texts for line in text.splitlines())
    return [line for line in lines if len(line) >= _TELLING]


def _quoted(exercise: ExerciseReport, sources: Mapping[str, str]) -> ExerciseReport:
    """The lines of a traceback as they stand in the files: what a guest says of them is its own."""
    checks = (
        replace(check, raised=_with_own_lines(check.raised, sources)) if check.raised else check
        for check in exercise.checks
    )
    return replace(exercise, checks=tuple(checks))


def _with_own_lines(raised: Raised, sources: Mapping[str, str]) -> Raised:
    return replace(raised, frames=tuple(_quote(frame, sources) for frame in raised.frames))


def _quote(frame: Frame, sources: Mapping[str, str]) -> Frame:
    lines = sources.get(frame.file, "").split("\n")
    text = lines[frame.line - 1].strip() if 1 <= frame.line <= len(lines) else ""
    return replace(frame, text=text)


def _short(
    exercise: ExerciseReport, helped: Sequence[str], solution: Sequence[str]
) -> ExerciseReport:
    notes = exercise.notes
    if exercise.output.strip():
        notes = (*notes, Note("output", NOT_SHOWN.format(names=", ".join(helped))))
    checks = tuple(_short_message(check, solution) for check in exercise.checks)
    return replace(exercise, output="", notes=notes, checks=checks)


def _short_message(check: CheckReport, solution: Sequence[str]) -> CheckReport:
    raised = check.raised
    if raised is None or not raised.message:
        return check
    message = raised.message
    if any(line in message for line in solution):
        message = "(its message is not shown: it holds lines of a solution)"
    elif len(message) > MOST_MESSAGE:
        message = f"{message[:MOST_MESSAGE]} …"
    return replace(
        check,
        message=check.message.replace(raised.message, message),
        raised=replace(raised, message=message),
    )

"""What is other than at the last check, in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.report.model import ExerciseReport, Report
    from attnpack.workspace.progress import Progress, State

_WRONG = (Status.FAILED, Status.ERROR)


def since(state: State, report: Report) -> str:
    """What the report says that the last check did not; empty where that is nothing."""
    told = [
        said
        for exercise in report.exercises
        for said in _of_one(state.progress(exercise.name), exercise)
    ]
    return f"New since your last check: {'; '.join(told)}." if told else ""


def _of_one(known: Progress, exercise: ExerciseReport) -> Iterator[str]:
    bug = next((bug.id for check in exercise.checks for bug in check.bugs), None)
    if exercise.status is Status.PASSED and known.status in _WRONG:
        yield f"{exercise.name} passes"
    elif exercise.status in _WRONG and known.status is Status.PASSED:
        yield f"{exercise.name} no longer passes"
    elif exercise.status in _WRONG and known.status in _WRONG and bug != known.bug:
        gone = f" in place of {known.bug}" if known.bug else ""
        yield f"{bug or exercise.status.value}{gone}"

"""What a student may see of a result: nothing of hidden checks, of other students, of seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.terms import Status

if TYPE_CHECKING:
    from attnpack.grade.marks import ExerciseMark
    from attnpack.grade.results import Result
    from attnpack.grade.rubric import Rubric
    from attnpack.report.model import CheckReport, ExerciseReport

HIDDEN = "hidden"
"""the status of an exercise whose visible checks pass and a hidden one does not"""


@dataclass(frozen=True)
class StudentExercise:
    """One exercise as its student sees it."""

    name: str
    status: str
    mark: ExerciseMark
    checks: tuple[CheckReport, ...] = ()
    hidden: int = 0
    """how many checks are not shown"""
    output: str = ""
    stand_ins: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all of it, hidden checks too, passed."""
        return self.status == Status.PASSED


def student_view(result: Result, rubric: Rubric) -> tuple[StudentExercise, ...]:
    """Every exercise of the rubric in order; without a report, only the marks."""
    reports = {e.name: e for e in result.report.exercises} if result.report else {}
    return tuple(
        _exercise(reports[mark.name], mark, rubric)
        if mark.name in reports
        else StudentExercise(mark.name, result.status, mark)
        for mark in result.mark.exercises
    )


def _exercise(report: ExerciseReport, mark: ExerciseMark, rubric: Rubric) -> StudentExercise:
    checks = tuple(c for c in report.checks if not rubric.hides(report.name, c.stage))
    hidden = len(report.checks) - len(checks)
    failing = [c for c in checks if c.status not in (Status.PASSED, Status.SKIPPED)]
    status = report.status.value
    if hidden and not failing and report.status in (Status.FAILED, Status.ERROR):
        status = HIDDEN
    return StudentExercise(
        name=report.name,
        status=status,
        mark=mark,
        checks=checks,
        hidden=hidden,
        # One run prints for all checks of an exercise: with a hidden one, nothing of it is shown.
        output="" if hidden else report.output,
        stand_ins=report.stand_ins,
    )

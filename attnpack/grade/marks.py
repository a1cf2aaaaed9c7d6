"""From a report to a mark: a pure function of report, rubric and overrides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from attnpack.grade.overrides import WHOLE, Override, Overrides
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Collection

    from attnpack.grade.rubric import Rubric
    from attnpack.report.model import ExerciseReport, Report


@dataclass(frozen=True)
class ExerciseMark:
    """The points of one exercise."""

    name: str
    points: float
    max_points: float
    override: Override | None = None


@dataclass(frozen=True)
class Mark:
    """The points of one submission; `score` is None where it could not be judged."""

    exercises: tuple[ExerciseMark, ...]
    score: float | None
    max_score: float
    override: Override | None = None
    """of the whole"""
    days_late: int | None = None
    """None where it is not known"""
    late_share: float = 0.0
    """of the score, taken off for being late"""

    @property
    def percent(self) -> float | None:
        """The score as a share of 100."""
        return None if self.score is None else round(100 * self.score / self.max_score, 2)

    @property
    def overrides(self) -> tuple[Override, ...]:
        """All that was set by hand."""
        parts = [exercise.override for exercise in self.exercises]
        return tuple(override for override in (*parts, self.override) if override)


class Unjudged(StrEnum):
    """Why there is no report."""

    UNREADABLE = "unreadable"
    NEEDS_REGRADE = "needs_regrade"


def mark(
    submission: str,
    report: Report | None,
    status: str,
    rubric: Rubric,
    overrides: Overrides,
    students: Collection[str] = (),
    when: str = "",
) -> Mark:
    """The mark of a submission of these students, handed in at a time.

    What is taken off for being late is a share of what the exercises earn; a mark of the whole
    that was set by hand stands as it is.

    Without a report: an unreadable submission has 0 until someone looks at it; one that needs
    regrading has no score at all, which is never a zero.
    """
    reports = {exercise.name: exercise for exercise in report.exercises} if report else {}
    exercises = tuple(
        _exercise_mark(name, reports.get(name), rubric, overrides.of(submission, name, students))
        for name in rubric.points
    )
    whole = overrides.of(submission, WHOLE, students)
    days = rubric.late.days(when, overrides.days(submission, students))
    late = rubric.late.cost(days)
    score: float | None = round(sum(exercise.points for exercise in exercises) * (1 - late), 4)
    if status == Unjudged.NEEDS_REGRADE:
        score = None
    if whole and whole.points is not None:
        score = whole.points
    return Mark(exercises, score, rubric.max_score, whole, days, late)


def _exercise_mark(
    name: str, report: ExerciseReport | None, rubric: Rubric, override: Override | None
) -> ExerciseMark:
    worth = rubric.points[name]
    if override and override.points is not None:
        return ExerciseMark(name, override.points, worth, override)
    return ExerciseMark(name, round(worth * _earned(report, rubric), 4) if report else 0.0, worth)


def _earned(report: ExerciseReport, rubric: Rubric) -> float:
    """The share of an exercise's points, 0 to 1."""
    if report.status is Status.PASSED:
        return 1.0
    if not rubric.partial_credit or not report.checks:
        return 0.0
    shares = {check.stage: rubric.share(report.name, check.stage) for check in report.checks}
    passed = sum(
        shares[check.stage]
        for check in report.checks
        if check.status is Status.PASSED or check.would_pass
    )
    return passed / sum(shares.values()) if any(shares.values()) else 0.0

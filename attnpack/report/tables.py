"""`grades.csv`, and the CSV that Canvas and Moodle take in."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from attnpack.checking import own_faults
from attnpack.grade.presence import presence
from attnpack.report.sinks import for_csv
from attnpack.report.words import stage_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from attnpack.grade.results import Cohort, Result
    from attnpack.grade.roster import Student

Cell = str | float | None

GRADES = ("submission", "student", "score", "max_score", "percent", "status", "bugs", "isolation")
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("Email address", "ID number", "Full name")


def grades(cohort: Cohort) -> str:
    """One row per submission, sorted by it, then who handed in nothing.

    The columns after `isolation` are extra.
    """
    exercises = tuple(cohort.rubric.points)
    extra = (
        *("submitted", "days_late", "late_share", "overrides", "flags", "would_pass"),
        *("problem", "notes"),
    )
    width = len(GRADES) + len(exercises) + len(extra)
    rows = [_row_or_said(result, width) for result in cohort.results]
    absent = [_absent_row(s, cohort, width) for s in presence(cohort).missing] if rows else []
    text = _csv([(*GRADES, *exercises, *extra), *rows, *absent])
    return text if text.isascii() else f"\ufeff{text}"  # Excel takes it for UTF-8 only with this


def _row_or_said(result: Result, width: int) -> Sequence[Cell]:
    """The row of a submission; where attnpack fails at it, the mark stands in one that says so."""
    mark = result.mark
    first = (result.submission, result.student, mark.score, mark.max_score, mark.percent)

    def said(sentence: str) -> Sequence[Cell]:
        empty = [None] * (width - len(first) - 3)
        return (*first, result.status, *empty, sentence, None)

    return own_faults.fenced(lambda: _grades_row(result), said, result.submission)


def _grades_row(result: Result) -> Sequence[Cell]:
    mark = result.mark
    overrides = (f"{o.exercise}: {o.points or 0:g} ({o.reason})" for o in mark.overrides)
    return (
        result.submission,
        result.student,
        mark.score,
        mark.max_score,
        mark.percent,
        result.status,
        ";".join(result.bugs),
        result.report.isolation if result.report else "",
        *(None if mark.score is None else exercise.points for exercise in mark.exercises),
        result.when,
        "yes" if mark.days_late is None and result.said_late else mark.days_late,
        mark.late_share or None,
        "; ".join(overrides),
        "; ".join(result.flags),
        "; ".join(_would_pass(result)),
        result.problem,
        " ".join(result.notes),
    )


def _would_pass(result: Result) -> Iterator[str]:
    """Of each exercise the checks that are right, but for an earlier one."""
    for exercise in result.report.exercises if result.report else ():
        stages = [stage_label(c.stage) for c in exercise.checks if c.would_pass]
        if stages:
            yield f"{exercise.name}: {', '.join(stages)}"


def _absent_row(student: Student, cohort: Cohort, width: int) -> Sequence[Cell]:
    """Of who is on the roster and handed in nothing: no submission, no score."""
    said = ("", student.key, None, cohort.rubric.max_score, None, "missing")
    return (*said, *[None] * (width - len(said) - 2), "nothing was handed in", None)


def canvas(cohort: Cohort) -> str:
    """What Canvas' gradebook imports: everyone on the roster, the best of their submissions."""
    rubric = cohort.rubric
    head = (*CANVAS, rubric.assignment)
    possible = ("Points Possible", None, None, None, None, rubric.max_score)
    best = best_scores(cohort)
    rows = (
        (s.name, s.canvas_id, s.sis_id, s.login, s.section, best.get(s))
        for s in cohort.roster.students
    )
    return _csv([head, possible, *rows])


def moodle(cohort: Cohort) -> str:
    """What Moodle's grade import takes, by address or ID number."""
    best = best_scores(cohort)
    rows = ((s.email, s.sis_id, s.name, best.get(s)) for s in cohort.roster.students)
    return _csv([(*MOODLE, cohort.rubric.assignment), *rows])


def best_scores(cohort: Cohort) -> dict[Student, float]:
    """The best mark of everyone on the roster who has one."""
    best: dict[Student, float] = {}
    for result in cohort.results:
        for student in result.people:
            if result.mark.score is not None:
                best[student] = max(best.get(student, 0.0), result.mark.score)
    return best


def _csv(rows: Iterable[Iterable[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([for_csv(cell) for cell in row] for row in rows)
    return text.getvalue()

"""Who would else be overlooked: nothing to grade, nothing handed in, a mark that reaches no row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.grade.marks import Unjudged
from attnpack.grade.roster import Match, Student

if TYPE_CHECKING:
    from attnpack.grade.results import Cohort, Result

WHY = {
    Match.NAMESAKES: "several students of the roster have this name",
    Match.UNLISTED: "nobody of the roster is called so",
}


@dataclass(frozen=True)
class Presence:
    """The exceptions of a cohort, by kind."""

    nothing: tuple[Result, ...]
    """handed in, and nothing of it can be judged"""
    missing: tuple[Student, ...]
    """on the roster, and nothing is there"""
    unplaced: tuple[Result, ...]
    """judged, and of nobody on the roster"""
    late_unknown: tuple[Result, ...]
    """late as the platform says, by how much it does not say"""
    several: tuple[tuple[Student, tuple[Result, ...]], ...]
    """students with more than one submission: the best counts"""


def presence(cohort: Cohort) -> Presence:
    """Look at everyone."""
    of_student: dict[Student, list[Result]] = {}
    for result in cohort.results:
        for student in result.people:
            of_student.setdefault(student, []).append(result)
    students = cohort.roster.students
    return Presence(
        nothing=tuple(r for r in cohort.results if r.status == Unjudged.UNREADABLE),
        missing=tuple(student for student in students if student not in of_student),
        unplaced=tuple(r for r in cohort.results if students and not r.people),
        late_unknown=tuple(r for r in cohort.results if r.said_late and r.mark.days_late is None),
        several=tuple((s, tuple(found)) for s, found in of_student.items() if found[1:]),
    )


def told(cohort: Cohort) -> list[str]:
    """A line on each kind, for the console."""
    found = presence(cohort)
    lines = []
    if found.nothing:
        lines.append(f"{_count(found.nothing)} nothing to grade: {_names(found.nothing)}.")
    if found.missing:
        names = _some([student.key for student in found.missing])
        lines.append(f"{_count(found.missing)} handed in nothing: {names}.")
    if found.unplaced:
        lines.append(
            f"{len(found.unplaced)} of nobody on the roster, so in neither canvas.csv nor "
            f"moodle.csv: {_names(found.unplaced)}."
        )
    if found.late_unknown:
        lines.append(
            f"{len(found.late_unknown)} late, by how much the platform does not say: "
            f"{_names(found.late_unknown)}."
        )
    return lines


def _count(found: tuple[object, ...]) -> str:
    return f"{len(found)} student has" if len(found) == 1 else f"{len(found)} students have"


def _names(results: tuple[Result, ...]) -> str:
    return _some([result.student or result.submission for result in results])


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return f"{shown} and {len(names) - 6} more" if names[6:] else shown

"""The sentences of a student's feedback, for every platform that shows plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.grade.marks import Unjudged
from attnpack.grade.student import HIDDEN
from attnpack.report.sinks import number, plain
from attnpack.report.words import (
    STATUS_WORD,
    match_sentence,
    outcome,
    proof,
    stage_label,
    stand_ins,
)

if TYPE_CHECKING:
    from attnpack.grade.marks import Mark
    from attnpack.grade.student import StudentExercise
    from attnpack.report.model import CheckReport, NamedBug

HIDDEN_FAILED = "The checks shown here pass; one that your teacher keeps hidden does not."
OUTPUT_LIMIT = 2000
EXPRESSION = 120
_STATUS_WORDS = {
    **{status.value: word for status, word in STATUS_WORD.items()},
    HIDDEN: "failed a hidden check",
    Unjudged.NEEDS_REGRADE: "needs regrading",
}


def status_word(status: str) -> str:
    """A status in words, those of a whole submission too."""
    return _STATUS_WORDS.get(status, status)


def check_line(check: CheckReport) -> str:
    """One stage: its name, how it ended, what came."""
    head = f"{stage_label(check.stage)}: {outcome(check)}"
    return f"{head}. {check.message}" if check.message else head


def bug_line(bug: NamedBug) -> str:
    """One diagnosis: the bug, where, and how sure."""
    where = f" at {bug.file}, line {bug.line}" if bug.file and bug.line else ""
    if where and bug.spot is not None:
        where += f", column {bug.spot.column}: {plain(bug.spot.expression, EXPRESSION)}"
    proven = proof(bug.spot)
    sure = match_sentence(bug.match, bug.together)
    return f"{bug.id}{where} ({sure}{'; ' if proven else ''}{proven})"


def exercise_text(exercise: StudentExercise) -> str:
    """All that a student sees of an exercise, as plain lines."""
    lines = [f"{exercise.name}: {status_word(exercise.status)}"]
    for check in exercise.checks:
        lines.append(check_line(check))
        lines += [f"  {bug_line(bug)}" for bug in check.bugs]
        lines += [f"  Next: attnpack explain {bug.id}" for bug in check.bugs[:1]]
    lines += hidden_lines(exercise)
    if exercise.stand_ins:
        lines.append(stand_ins(exercise.stand_ins))
    override = exercise.mark.override
    if override:
        lines.append(f"Set by hand to {number(override.points or 0)}: {override.reason}")
    if exercise.output:
        lines += ["Printed by your code:", plain(exercise.output, OUTPUT_LIMIT)]
    return "\n".join(lines)


def hidden_lines(exercise: StudentExercise) -> list[str]:
    """What a student is told of checks that are not shown."""
    if exercise.status == HIDDEN:
        return [HIDDEN_FAILED]
    if exercise.hidden:
        checks = "check is" if exercise.hidden == 1 else "checks are"
        return [f"{exercise.hidden} {checks} kept hidden."]
    return []


def overrides_text(mark: Mark) -> str:
    """What was set by hand for the whole submission, or taken off for being late."""
    if mark.override is None:
        if not mark.late_share:
            return ""
        days = "1 day" if mark.days_late == 1 else f"{mark.days_late} days"
        return f"{days} late: {100 * mark.late_share:g} % of the score is taken off."
    return f"Mark set by hand to {number(mark.override.points or 0)}: {mark.override.reason}"

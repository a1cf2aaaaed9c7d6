"""GitHub Actions: a step summary in markdown, and annotations on the learner's lines.

Limits: 10 annotations of a type per step, a summary under 1 MiB.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from attnpack.checking import own_faults
from attnpack.grade.student import student_view
from attnpack.report.feedback import exercise_text, status_word
from attnpack.report.sinks import for_command, for_markdown, for_property, number, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.grade.results import Cohort, Result

ANNOTATIONS = 10
_SUMMARY_BYTES = 900_000
_LOG = 40_000


def log(cohort: Cohort, result: Result) -> str:
    """What a job prints about one submission, of what a student may see.

    One error annotation per failing exercise, then the feedback, guarded.
    """
    lines = list(_commands(cohort, result))
    if len(lines) > ANNOTATIONS:
        more = f"and {len(lines) - ANNOTATIONS + 1} more below"
        lines = [*lines[: ANNOTATIONS - 1], f"::error title=attnpack::{more}"]
    texts = [exercise_text(exercise) for exercise in student_view(result, cohort.rubric)]
    feedback = guarded("\n".join([result.problem, *texts]).strip())
    return "".join(f"{line}\n" for line in lines) + feedback


def guarded(text: str) -> str:
    """Text for a log in which no line of it is taken for a workflow command.

    The token that ends the guard is the text's own hash, which no text can hold.
    """
    shown = plain(text, _LOG)
    token = hashlib.sha256(shown.encode()).hexdigest()
    return f"::stop-commands::{token}\n{shown}\n::{token}::\n"


def _commands(cohort: Cohort, result: Result) -> Iterator[str]:
    for exercise in student_view(result, cohort.rubric):
        for check in exercise.checks:
            for bug in check.bugs[:1]:
                where = ""
                if bug.file and bug.line:
                    where = f"file={for_property(bug.file)},line={bug.line},"
                    if bug.spot is not None:
                        where += f"col={bug.spot.column},endColumn={bug.spot.end_column},"
                title = for_property(f"{exercise.name}: {bug.id}")
                yield f"::error {where}title={title}::{for_command(check.message)}"


def summary(cohort: Cohort) -> str:
    """A table of marks, for `$GITHUB_STEP_SUMMARY`."""
    names = list(cohort.rubric.points)
    lines = [
        "## attnpack",
        "",
        f"| submission | score | status | {' | '.join(names)} |",
        f"| --- | ---: | --- |{' --- |' * len(names)}",
    ]
    size = 0
    for at, result in enumerate(cohort.results):
        row = _row_or_said(cohort, result)
        size += len(row.encode())
        if size > _SUMMARY_BYTES:
            lines += ["", f"{len(cohort.results) - at} more in grades.csv"]
            break
        lines.append(row)
    return "\n".join([*lines, ""])


def _row_or_said(cohort: Cohort, result: Result) -> str:
    def said(sentence: str) -> str:
        cells = [for_markdown(result.submission), "", for_markdown(sentence)]
        return f"| {' | '.join([*cells, *[''] * len(cohort.rubric.points)])} |"

    return own_faults.fenced(lambda: _row(cohort, result), said, result.submission)


def _row(cohort: Cohort, result: Result) -> str:
    score = "" if result.mark.score is None else number(result.mark.score)
    cells = [
        for_markdown(result.submission),
        f"{score} / {number(result.mark.max_score)}",
        for_markdown(status_word(result.status)),
    ]
    for exercise in student_view(result, cohort.rubric):
        ids = [bug.id for check in exercise.checks for bug in check.bugs[:1]]
        word = status_word(exercise.status)
        cells.append(for_markdown(f"{word}: {ids[0]}" if ids else word))
    return f"| {' | '.join(cells)} |"

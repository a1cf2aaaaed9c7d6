"""One feedback page per student: HTML, only what a student may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.grade.student import student_view
from attnpack.report.feedback import (
    OUTPUT_LIMIT,
    hidden_lines,
    overrides_text,
    status_word,
)
from attnpack.report.markup import Html, join, page, tag
from attnpack.report.sinks import number, plain
from attnpack.report.words import (
    NOT_REACHED,
    PRINTED,
    RIGHT_ANYWAY,
    STATUS_MARK,
    STATUS_WORD,
    match_sentence,
    outcome,
    stage_label,
    stand_ins,
)
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.grade.results import Cohort, Result
    from attnpack.grade.student import StudentExercise
    from attnpack.pack.texts import Bug
    from attnpack.report.model import CheckReport, NamedBug

_IN_A_LIST = (STATUS_WORD[Status.PASSED], RIGHT_ANYWAY, NOT_REACHED)


def feedback_page(cohort: Cohort, result: Result, bugs: Mapping[str, Bug]) -> str:
    """The page of one submission. `bugs` are the pack's, with their cards."""
    mark = result.mark
    score = "not marked yet" if mark.score is None else number(mark.score)
    facts = tag(
        "dl",
        _fact("mark", f"{score} of {number(mark.max_score)}"),
        _fact("result", status_word(result.status)),
        class_="facts",
    )
    parts = [
        tag("h1", f"{cohort.rubric.assignment}: {result.student}"),
        tag("p", tag("code", result.submission), class_="soft"),
        facts,
    ]
    parts += [tag("p", text) for text in (result.problem, overrides_text(mark)) if text]
    parts += [tag("p", note, class_="soft") for note in result.notes]
    parts += [
        _exercise(exercise, bugs, result.details.get(exercise.name, {}))
        for exercise in student_view(result, cohort.rubric)
    ]
    return page(f"{cohort.rubric.assignment}: {result.student}", join(parts))


def unmade_page(cohort: Cohort, result: Result, said: str) -> str:
    """The mark and what is said, where attnpack failed to make a submission's own page."""
    mark = result.mark
    score = "not marked yet" if mark.score is None else number(mark.score)
    title = f"{cohort.rubric.assignment}: {result.student}"
    shown = [tag("p", f"mark: {score} of {number(mark.max_score)}"), tag("p", said)]
    return page(title, join([tag("h1", title), *shown]))


def _fact(name: str, value: str) -> Html:
    return tag("div", tag("dt", name), tag("dd", value))


def _exercise(
    exercise: StudentExercise, bugs: Mapping[str, Bug], details: Mapping[str, Any]
) -> Html:
    mark = exercise.mark
    points = f"{number(mark.points)} of {number(mark.max_points)}"
    parts = [
        tag("h2", tag("code", exercise.name), " ", _sign(exercise.status), f", {points}"),
        *(tag("p", text) for text in hidden_lines(exercise)),
        *(
            _check(check, bugs, details)
            for check in exercise.checks
            if outcome(check) not in _IN_A_LIST
        ),
        *_lists(exercise),
    ]
    if exercise.stand_ins:
        parts.append(tag("p", stand_ins(exercise.stand_ins), class_="soft"))
    if mark.override:
        parts.append(tag("p", f"Set by hand to {number(mark.points)}: {mark.override.reason}"))
    if exercise.output:
        shown = tag("pre", plain(exercise.output, OUTPUT_LIMIT))
        parts.append(tag("details", tag("summary", PRINTED), shown))
    return tag("section", *parts)


def _sign(status: str) -> Html:
    """The status as a mark and a word; the colour says nothing more."""
    mark = STATUS_MARK.get(Status(status), "") if status in tuple(Status) else "✗"
    kind = "good" if status == Status.PASSED else "bad"
    return tag("span", f"{mark} {status_word(status)}", class_=kind)


def _lists(exercise: StudentExercise) -> Iterator[Html]:
    """The checks of which there is no more to say."""
    for word in _IN_A_LIST:
        labels = [stage_label(c.stage) for c in exercise.checks if outcome(c) == word]
        if labels:
            yield tag("p", f"{word}: {', '.join(labels)}", class_="soft")


def _check(check: CheckReport, bugs: Mapping[str, Bug], details: Mapping[str, Any]) -> Html:
    head = f"{STATUS_MARK[check.status]} {stage_label(check.stage)}: {outcome(check)}"
    message = tag("p", check.message) if check.message else Html("")
    shown = _details(details) if details.get("stage") == check.stage else ()
    return join([tag("h3", head), message, *shown, *(_bug(bug, bugs) for bug in check.bugs[:2])])


def _details(details: Mapping[str, Any]) -> Iterator[Html]:
    """The learner's lines, what was expected and what came, as `attnpack check` shows them."""
    if details["code"]:
        yield tag("pre", plain(details["code"]))
    if details["facts"]:
        facts = (part for label, said in details["facts"] for part in (label, said))
        pairs = [tag("dt" if at % 2 == 0 else "dd", part) for at, part in enumerate(facts)]
        yield tag("dl", *pairs, class_="compared")


def _bug(named: NamedBug, bugs: Mapping[str, Bug]) -> Html:
    where = f", {named.file} line {named.line}" if named.file and named.line else ""
    sure = match_sentence(named.match, named.together)
    parts = [tag("p", tag("strong", named.id), f"{where} ({sure})")]
    bug = bugs.get(named.id)
    if bug:
        card = bug.card
        parts += [tag("p", card.does), tag("p", card.hurts), tag("p", card.fix)]
        parts.append(tag("p", tag("code", f"attnpack explain {named.id}"), class_="soft"))
    return join(parts)

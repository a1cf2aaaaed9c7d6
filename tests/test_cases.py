"""The labelled submissions: what passes, what does not, which bug is named and which line.

A new case is a file in tests/cases and its entry in labels.json, nothing else.
"""

from __future__ import annotations

import importlib.util
from contextlib import ExitStack
from functools import cache, partial
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from attnpack import pack
from attnpack.checking.screening import ShortForm
from attnpack.host.pool import open_pool
from attnpack.terms import Backend
from bench import labelled

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from attnpack.calls import Transcript
    from attnpack.pack.base import Pack
    from attnpack.pack.kinds import Ask, Plan, Source, Suspect, Verdict
    from attnpack.report.model import ExerciseReport, Report
    from bench.labelled import Case, Expected

    Checked = Callable[[str], Report]

CASES = {case.name: case for case in labelled.cases()}
WRONG = [one for case in CASES.values() for one in case.expected if one.wrong]
PAIRS = [one for one in WRONG if one.together]
LINES_AMONG_THE_LABELS = {Backend.NUMPY: 0.85, Backend.TORCH: 0.85, Backend.VALUE: 0.25}
"""at least this share; of the rest the line lies elsewhere in the faulty definition"""
NO_TORCH = importlib.util.find_spec("torch") is None


def _param(subject: Case | Expected, case: Case) -> object:
    lacking = case.backend is Backend.TORCH and NO_TORCH
    marks = [pytest.mark.skipif(lacking, reason="torch is an extra")]
    return pytest.param(subject, id=str(subject), marks=marks)


each_case = pytest.mark.parametrize("case", [_param(case, case) for case in CASES.values()])
each_wrong = pytest.mark.parametrize("wrong", [_param(one, CASES[one.case]) for one in WRONG])
each_pair = pytest.mark.parametrize("pair", [_param(one, CASES[one.case]) for one in PAIRS])


@pytest.fixture(scope="module")
def whole() -> Iterator[Checked]:
    """The report of a case by its name; each is checked once, and guests stay warm."""
    with ExitStack() as pools:
        pool = cache(lambda backend: pools.enter_context(open_pool(backend)))
        yield cache(lambda name: labelled.check(CASES[name], pool(CASES[name].backend)))


@pytest.fixture(scope="module")
def graded() -> Iterator[Checked]:
    """As `whole`, with the short form first, as grading does, and a place for one in three."""
    form, placed = ShortForm(pack.load(), 20), set(list(CASES)[::3])
    with ExitStack() as pools:
        pool = cache(lambda backend: pools.enter_context(open_pool(backend)))

        def report(name: str) -> Report:
            ask = partial(labelled.check, CASES[name], pool(CASES[name].backend), short_form=form)
            if name in placed:
                return ask()
            with patch.object(type(pack.load()), "places", _without_places):
                return ask()

        yield cache(report)


def _without_places(
    _pack: Pack,
    _plan: Plan,
    _transcript: Transcript,
    _verdict: Verdict,
    suspects: Sequence[Suspect],
    _source: Source,
) -> Generator[Ask, Transcript, Sequence[Suspect]]:
    """The search for a place, ended before it asks anything."""
    yield from ()
    return suspects


@pytest.fixture
def checked(request: pytest.FixtureRequest) -> Checked:
    """What is asked of every case: the whole plan where the tests are exhaustive."""
    exhaustive = request.config.getoption("--exhaustive")
    return request.getfixturevalue("whole" if exhaustive else "graded")  # type: ignore[no-any-return]


def _exercise(report: Report, name: str) -> ExerciseReport:
    return next(exercise for exercise in report.exercises if exercise.name == name)


@each_case
def test_every_exercise_ends_as_the_label_says(case: Case, checked: Checked) -> None:
    report = checked(case.name)
    assert len(report.exercises) == len(case.expected)
    for expected in case.expected:
        exercise = _exercise(report, expected.exercise)
        assert exercise.status in expected.statuses, (expected.exercise, exercise.failing)
        assert {note.id for note in exercise.notes} >= set(expected.notes)
        if expected.wrong:
            assert labelled.first_failing(exercise).stage in expected.stages


@pytest.mark.exhaustive
@each_case
def test_asking_the_short_form_first_comes_to_the_same(
    case: Case, whole: Checked, graded: Checked
) -> None:
    asked = {exercise.name: exercise for exercise in whole(case.name).exercises}
    for exercise in graded(case.name).exercises:
        assert exercise.status is asked[exercise.name].status, exercise.name
    for expected in case.expected:
        found = _exercise(graded(case.name), expected.exercise).notes
        assert {note.id for note in found} >= set(expected.notes)


@each_wrong
def test_the_first_name_is_acceptable(wrong: Expected, checked: Checked) -> None:
    failing = labelled.first_failing(_exercise(checked(wrong.case), wrong.exercise))
    assert failing.bugs[0].id in wrong.bugs, [bug.id for bug in failing.bugs]


@each_pair
def test_two_bugs_that_belong_together_are_both_named(pair: Expected, checked: Checked) -> None:
    failing = labelled.first_failing(_exercise(checked(pair.case), pair.exercise))
    assert labelled.named_together(failing.bugs) == set(pair.together)


@each_wrong
def test_the_line_is_the_bugs_or_at_least_in_the_faulty_definition(
    wrong: Expected, checked: Checked
) -> None:
    failing = labelled.first_failing(_exercise(checked(wrong.case), wrong.exercise))
    line = failing.bugs[0].line
    assert line in wrong.lines or line in labelled.faulty_lines(wrong)


@pytest.mark.parametrize("backend", list(Backend))
def test_most_lines_are_among_those_of_the_label(backend: Backend, checked: Checked) -> None:
    if backend is Backend.TORCH and NO_TORCH:
        pytest.skip("torch is an extra")
    asked = [wrong for wrong in WRONG if CASES[wrong.case].backend is backend]
    named = [
        labelled.first_failing(_exercise(checked(one.case), one.exercise)).bugs[0].line
        for one in asked
    ]
    hits = sum(line in one.lines for line, one in zip(named, asked, strict=True))
    assert hits >= LINES_AMONG_THE_LABELS[backend] * len(asked)

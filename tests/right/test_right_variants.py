"""A right implementation never fails; `python bench/right_variants.py` asks over many seeds."""

from __future__ import annotations

import importlib.util
from random import Random

import pytest
from alarms import alarms
from variants import BACKENDS, each_once, exercises_in, submissions, variants

from attnpack import pack
from attnpack.checking.runner import check
from attnpack.submission import load
from attnpack.terms import Backend, Status

SEED = 7291
TORCH = importlib.util.find_spec("torch")
needs_torch = pytest.mark.skipif(
    # The folder of variants beside this file is found as well: a library has an origin.
    TORCH is None or TORCH.origin is None,
    reason="torch is an extra",
)
IN_EACH = [pytest.param(b, marks=needs_torch if b == "torch" else ()) for b in BACKENDS]
EACH_EXERCISE = [
    pytest.param(b, e, marks=needs_torch if b == "torch" else ())
    for b in BACKENDS
    for e in exercises_in(b)
]


@pytest.fixture(scope="module")
def combined():
    return {backend: submissions(backend, Random(SEED)) for backend in BACKENDS}


@pytest.mark.parametrize(
    "every",
    [
        pytest.param(3, id="one in three"),
        pytest.param(1, id="all", marks=pytest.mark.exhaustive),
    ],
)
@pytest.mark.parametrize(("backend", "exercise"), EACH_EXERCISE)
def test_no_right_variant_raises_an_alarm(combined, backend, exercise, every):
    once = each_once(combined[backend], [exercise])
    assert len(once) == len(variants(backend, exercise))
    found = [alarm for one, _ in once[::every] for alarm in alarms(one, exercise, SEED)]
    assert found == [], "\n".join(map(str, found))


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("backend", IN_EACH)
def test_right_variants_pass_in_guests_of_their_own(combined, backend, row, tmp_path):
    one = combined[backend][row]
    for name, text in one.sources.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    given = tmp_path / "attention.py" if one.is_lone_file else tmp_path
    report = check(load(given), backend=Backend(backend), seed=SEED, keep_going=True)
    assert {exercise.name: exercise.status for exercise in report.exercises} == dict.fromkeys(
        exercises_in(backend), Status.PASSED
    )


def test_every_backend_has_right_variants_of_each_exercise_that_is_written_in_it():
    for backend in BACKENDS:
        written = [e.name for e in pack.load().exercises if Backend(backend) in e.backends]
        assert exercises_in(backend) == written


def test_there_are_three_hundred_right_variants_and_some_of_every_exercise_in_every_backend():
    counts = [
        len(variants(backend, exercise))
        for backend in BACKENDS
        for exercise in exercises_in(backend)
    ]
    assert min(counts) >= 10
    assert sum(counts) >= 300


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_variant_is_left_with_a_blank_and_no_two_are_the_same(backend):
    for exercise in exercises_in(backend):
        codes = [variant.code for variant in variants(backend, exercise)]
        assert len(set(codes)) == len(codes)
        assert all("<" + "FORM>" not in code for code in codes)
        for code in codes:
            compile(code, exercise, "exec")


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_variant_occurs_in_the_submissions_of_a_seed(combined, backend):
    for exercise in exercises_in(backend):
        used = {one.variant(exercise).name for one in combined[backend]}
        assert used == {variant.name for variant in variants(backend, exercise)}


@pytest.mark.parametrize("backend", BACKENDS)
def test_submissions_come_as_folders_and_as_lone_files(combined, backend):
    assert {one.is_lone_file for one in combined[backend]} == {True, False}

"""Every solution passes every check of its exercise, on every backend, with fresh numbers."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from sampled import in_their_backends

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend, Status
from checks.exercises import EXERCISES
from checks.exercises import exercise as exercise_of

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is an extra"
)
BACKENDS = [
    pytest.param(Backend.NUMPY, id="numpy"),
    pytest.param(Backend.TORCH, id="torch", marks=needs_torch),
    pytest.param(Backend.VALUE, id="value"),
]


def judged(backend, exercise, sources, seed):
    plan = pack.load().plan(exercise.name, backend, np.random.default_rng(seed))
    task = Task(exercise.name, exercise.file, sources, backend.value, plan.questions)
    transcript = run_in_process(task)
    assert transcript.fault is None
    return pack.load().judge(plan, transcript)


def solutions(backend):
    files = [exercise.file for exercise in EXERCISES if backend in exercise.backends]
    return {f: pack.load().reference_path(backend, f).read_text(encoding="utf-8") for f in files}


@pytest.mark.parametrize("seed", [7291, 20170612])
@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_the_solution_passes_every_stage_and_is_given_no_note(backend, exercise, seed):
    exercise = exercise_of(exercise)
    judgement = judged(backend, exercise, solutions(backend), seed)
    statuses = {v.stage: v.status for v in judgement.verdicts}
    asked = list(exercise.stages_on(backend))
    assert list(statuses) == asked
    assert set(statuses.values()) == {Status.PASSED}
    assert judgement.notes == ()


@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_a_stub_passes_nothing(backend, exercise):
    exercise = exercise_of(exercise)
    stub = pack.load().stub_path(backend, exercise.file).read_text(encoding="utf-8")
    judgement = judged(backend, exercise, {**solutions(backend), exercise.file: stub}, 7291)
    assert judgement.verdicts[0].status is not Status.PASSED

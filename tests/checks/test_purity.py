"""Probes come from their seed alone; judges look at arrays and change nothing."""

from __future__ import annotations

import importlib.util
import zlib
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from sampled import in_their_backends

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend, Status
from checks.exercises import EXERCISES

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is an extra"
)
BACKENDS = [
    pytest.param(Backend.NUMPY, id="numpy"),
    pytest.param(Backend.TORCH, id="torch", marks=needs_torch),
    pytest.param(Backend.VALUE, id="value"),
]
FILES = {exercise.name: exercise.file for exercise in EXERCISES}
NAMES = list(FILES)


def arrays_in(thing):
    """Every array inside nested mappings, sequences and dataclasses."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from arrays_in(value)
    elif isinstance(thing, (list, tuple)):
        for item in thing:
            yield from arrays_in(item)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from arrays_in(getattr(thing, field.name))


def digest(thing):
    return zlib.crc32(b"".join(a.tobytes() + str(a.shape).encode() for a in arrays_in(thing)))


def answered(planned, backend, exercise, reverse):
    """The solutions' answers; `reverse` negates every result, so that a stage fails."""
    file = FILES[exercise]
    texts = {
        e.file: pack.load().reference_path(backend, e.file).read_text(encoding="utf-8")
        for e in EXERCISES
        if backend in e.backends
    }
    plan = planned(exercise, backend)
    task = Task(exercise, file, texts, backend.value, plan.questions)
    transcript = run_in_process(task)
    if reverse:
        negated = {key: negative(answer) for key, answer in transcript.answers.items()}
        transcript = replace(transcript, answers=negated)
    return plan, transcript


def negative(answer):
    results = (replace(r, array=None if r.array is None else -r.array) for r in answer.results)
    return replace(answer, results=tuple(results))


@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_the_same_seed_draws_the_same_questions_and_another_seed_others(planned, backend, exercise):
    first, again, other = (digest(planned(exercise, backend, s).questions) for s in (5, 5, 6))
    assert first == again
    assert first != other or exercise == "causal_mask"


def test_drawing_leaves_numpys_global_generator_alone(planned):
    before = np.random.get_state()[1].copy()
    for exercise in NAMES:
        planned(exercise)
    np.testing.assert_array_equal(np.random.get_state()[1], before)


@pytest.mark.parametrize("reverse", [False, True], ids=["right", "wrong"])
@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_judging_twice_says_the_same_and_writes_into_nothing(planned, backend, exercise, reverse):
    plan, transcript = answered(planned, backend, exercise, reverse)
    for array in (*arrays_in(plan.probes), *arrays_in(dict(transcript.answers))):
        array.flags.writeable = False
    before = digest(plan.questions), digest(dict(transcript.answers))
    first = pack.load().judge(plan, transcript)
    again = pack.load().judge(plan, transcript)
    assert [(v.stage, v.status, v.message) for v in first.verdicts] == [
        (v.stage, v.status, v.message) for v in again.verdicts
    ]
    assert first.notes == again.notes
    assert (digest(plan.questions), digest(dict(transcript.answers))) == before
    failed = any(v.status is Status.FAILED for v in first.verdicts)
    assert failed is reverse

"""Whatever a guest answers is judged and diagnosed: no answer is a fault of attnpack."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from attnpack import pack
from attnpack.calls import Answer, Frame, Outcome, Raised, Result, Task, Transcript
from attnpack.host.inprocess import run_in_process
from attnpack.terms import UNRECOGNISED, Backend, Status

if TYPE_CHECKING:
    from attnpack.pack.kinds import Plan

EXERCISES = {exercise.name: exercise for exercise in pack.load().exercises}
DTYPES = ("|b1", "|i1", "|u1", "<i4", "<i8", "<f2", "<f4", "<f8")
ODD = (np.nan, np.inf, -np.inf, 1e308, 0.0, -1.0)
WORDS = ("", "W_q", "mask", "float16", "none", "object", "ValueError", "TypeError", "softmax.py")


@cache
def right(name: str) -> tuple[Plan, Transcript]:
    """What is asked of an exercise, and the solution's answers."""
    files = {e.file: pack.load().reference_path("numpy", e.file) for e in EXERCISES.values()}
    sources = {file: path.read_text(encoding="utf-8") for file, path in files.items()}
    plan = pack.load().plan(name, Backend.NUMPY, np.random.default_rng(5))
    task = Task(name, EXERCISES[name].file, sources, "numpy", plan.questions)
    return plan, run_in_process(task)


def other_array(array: Any, chance: random.Random) -> Any:
    """An array that came instead: another dtype, shape or number."""
    array = np.zeros((2, 3)) if array is None else np.array(array)
    with np.errstate(all="ignore"):
        made = [
            lambda: array.astype(chance.choice(DTYPES)),
            lambda: np.where(
                np.arange(array.size).reshape(array.shape) % 3, array, chance.choice(ODD)
            ),
            lambda: array.astype(float) * chance.choice(ODD),
            lambda: array[..., None],
            lambda: array.T,
            lambda: array.reshape(-1),
            lambda: array[:0] if array.ndim else array,
            lambda: array[..., :2] if array.ndim else array,
            lambda: np.zeros([chance.choice((0, 1, 2, 5)) for _ in range(chance.randrange(5))]),
            lambda: None,
        ]
        return chance.choice(made)()


def other_answer(answer: Answer, chance: random.Random) -> Answer:
    """An answer that came instead, in a form that the host lets through."""
    word = lambda: chance.choice(WORDS)  # noqa: E731
    frames = tuple(Frame(word(), chance.choice((-1, 0, 7)), word(), word()) for _ in range(2))
    results = [replace(r, array=other_array(r.array, chance)) for r in answer.results]
    made = [
        replace(answer, results=tuple(results)),
        replace(answer, results=answer.results[:-1]),
        replace(answer, results=(*answer.results, Result(np.ones(3), word(), word()))),
        replace(answer, results=tuple(replace(r, dtype=word()) for r in answer.results)),
        replace(answer, form=chance.choice(("none", "tuple", "list"))),
        replace(answer, facts={}),
        replace(answer, outcome=Outcome.TIMED_OUT, results=()),
        replace(answer, outcome=Outcome.ENDED, results=()),
        replace(answer, outcome=Outcome.RAISED, results=(), raised=Raised(word(), word(), frames)),
    ]
    return chance.choice(made)


@pytest.mark.parametrize("name", list(EXERCISES))
@examples(40)
@given(seed=st.integers(0, 2**32))
def test_any_answers_are_judged_and_diagnosed(name: str, seed: int) -> None:
    plan, transcript = right(name)
    chance = random.Random(seed)
    keys = list(transcript.answers)
    changed = keys if chance.random() < 0.3 else chance.sample(keys, chance.randrange(1, 4))
    answers = {key: other_answer(transcript.answers[key], chance) for key in changed}
    came = replace(transcript, answers={**transcript.answers, **answers})

    verdicts = pack.load().judge(plan, came).verdicts

    assert [v.stage for v in verdicts] == list(EXERCISES[name].stages_on(Backend.NUMPY))
    verdict = next((v for v in verdicts if v.status is not Status.PASSED), None)
    if verdict is not None:
        suspects = pack.load().diagnose(plan, came, verdict)
        assert {suspect.id for suspect in suspects} <= {*pack.load().bugs(), UNRECOGNISED}
        assert suspects
        questions = pack.load().trace_plan(plan, came, verdict, suspects)
        assert not questions or any(getattr(question, "trace", False) for question in questions)

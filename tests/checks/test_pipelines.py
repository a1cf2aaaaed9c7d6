"""The right pipeline of each exercise gives the oracle's numbers on every probe."""

from __future__ import annotations

import numpy as np
import pytest

from attnpack.terms import Backend
from checks.exercises import EXERCISES
from checks.steps.right import PIPELINES
from checks.steps.styles import for_exercise

NAMES = [exercise.name for exercise in EXERCISES]
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def state(probe, index):
    call = dict(probe.calls[index])
    return call if probe.is_class else {"mask": None, **call}


def closed(exercise, array):
    """Every way to close a causal mask is one."""
    return np.where(array < -1e4, -np.inf, array) if exercise == "causal_mask" else array


def held_against_the_oracle(exercise, calls, models):
    for probe, index in calls:
        with np.errstate(all="ignore"):
            came = PIPELINES[exercise].run(state(probe, index), models)["results"]
        for right, array in zip(probe.expected_results[index], came, strict=True):
            pair = closed(exercise, array), closed(exercise, right)
            np.testing.assert_allclose(*pair, err_msg=probe.call_key(index), **CLOSE)


def test_every_exercise_has_a_pipeline():
    assert sorted(PIPELINES) == sorted(NAMES)


@pytest.mark.parametrize("backend", list(Backend))
@pytest.mark.parametrize("exercise", NAMES)
def test_the_right_pipeline_gives_the_oracles_numbers(answerable, exercise, backend):
    held_against_the_oracle(exercise, answerable(exercise, backend), ())


STYLES = [
    pytest.param(name, model, id=f"{name}, {model.label}")
    for name in NAMES
    for model in for_exercise(name)
    if "renormalised" not in model.label
]


@pytest.mark.parametrize(("exercise", "style"), STYLES)
def test_every_right_style_of_masking_gives_the_oracles_numbers(answerable, exercise, style):
    held_against_the_oracle(exercise, answerable(exercise), (style,))


@pytest.mark.parametrize("exercise", NAMES)
def test_a_pipeline_leaves_its_state_as_it_was(answerable, exercise):
    for probe, index in answerable(exercise):
        before = state(probe, index)
        kept = {name: np.copy(a) for name, a in before.items() if isinstance(a, np.ndarray)}
        with np.errstate(all="ignore"):
            PIPELINES[exercise].run(before, ())
        assert before.keys() == state(probe, index).keys()
        for name, array in kept.items():
            np.testing.assert_array_equal(before[name], array)

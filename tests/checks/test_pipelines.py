"""Right styles of writing give the numbers of the right pipeline; steps leave their state alone."""

from __future__ import annotations

import numpy as np
import pytest

from checks.exercises import EXERCISES
from checks.exercises import exercise as exercise_of
from checks.steps.styles import STYLES

NAMES = [exercise.name for exercise in EXERCISES]
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def state(probe, index):
    call = dict(probe.calls[index])
    return call if probe.is_class else {"mask": None, **call}


def held_against_the_oracle(exercise, calls, models):
    for probe, index in calls:
        with np.errstate(all="ignore"):
            came = exercise_of(exercise).pipeline.run(state(probe, index), models)["results"]
        for right, array in zip(probe.expected_results[index], came, strict=True):
            np.testing.assert_allclose(array, right, err_msg=probe.call_key(index), **CLOSE)


IN_AN_EXERCISE = [
    pytest.param(name, model, id=f"{name}, {model.label}")
    for name in NAMES
    for model in STYLES
    if exercise_of(name).pipeline.has(model) and "renormalised" not in model.label
    if model.tags != {"tanh"}  # another function, in this form right as well
]


@pytest.mark.parametrize(("exercise", "style"), IN_AN_EXERCISE)
def test_every_right_style_of_masking_gives_the_oracles_numbers(answerable, exercise, style):
    held_against_the_oracle(exercise, answerable(exercise), (style,))


@pytest.mark.parametrize("exercise", NAMES)
def test_a_pipeline_leaves_its_state_as_it_was(answerable, exercise):
    for probe, index in answerable(exercise):
        before = state(probe, index)
        kept = {name: np.copy(a) for name, a in before.items() if isinstance(a, np.ndarray)}
        with np.errstate(all="ignore"):
            exercise_of(exercise).pipeline.run(before, ())
        assert before.keys() == state(probe, index).keys()
        for name, array in kept.items():
            np.testing.assert_array_equal(before[name], array)

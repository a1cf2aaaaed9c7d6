"""Single precision agrees in whatever order it sums; half precision does not."""

from __future__ import annotations

import numpy as np
import pytest
from single_precision import ORDERS, Attention

from attnpack.calls import Answer, Outcome, Result
from attnpack.terms import Backend
from checks.agreement import agree, compare, differs, tolerance
from checks.exercises import EXERCISES as ALL

EXERCISES = [exercise.name for exercise in ALL if exercise.fault is None]
SEEDS = (7291, 1, 2)


def disagreements(calls, attention):
    """Keys of the calls whose results lie outside the tolerance."""
    found = []
    for probe, index in calls:
        came = attention.results(probe.exercise.name, probe.calls[index])
        named = probe.expected[index]
        names = probe.exercise.results
        for name, expected, result in zip(names, probe.expected_results[index], came, strict=True):
            if not agree(expected, result, tolerance(probe.exercise, name, named)):
                found.append(probe.call_key(index))
    return found


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_single_precision_agrees_on_every_probe_in_every_order(answerable, exercise, order):
    attention = Attention(np.float32, ORDERS[order])
    for seed in SEEDS:
        for backend in (Backend.NUMPY, Backend.TORCH):
            assert disagreements(answerable(exercise, backend, seed), attention) == []


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_half_precision_disagrees_on_ordinary_numbers(answerable, exercise, order):
    attention = Attention(np.float16, ORDERS[order])
    ordinary = [(p, i) for p, i in answerable(exercise) if p.key.startswith("values/random")]
    ordinary = ordinary or [(p, i) for p, i in answerable(exercise) if p.key.startswith("values/(")]
    keys = {probe.call_key(index) for probe, index in ordinary}
    assert keys
    assert set(disagreements(ordinary, attention)) == keys


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_tolerance_stays_below_a_thousandth_where_scores_are_moderate(answerable, exercise):
    for probe, index in answerable(exercise):
        special = ("values/large", "values/a constant token", "values/a small eps given")
        if probe.key.startswith(("values/", "shapes/")) and not probe.key.startswith(special):
            assert all(probe.tolerance(index, n) < 1e-3 for n in probe.exercise.results)


def test_nan_is_nan_and_an_infinity_is_itself_only():
    nan, inf = np.nan, np.inf
    expected = np.array([nan, inf, inf, 1.0, nan])
    came = np.array([nan, inf, -inf, nan, 1.0])
    assert differs(expected, came, 0.1).tolist() == [False, False, True, True, True]


def test_another_shape_never_agrees():
    assert not agree(np.zeros((2, 1)), np.zeros((2, 2)), 1.0)
    assert not agree(np.zeros((2, 1)), None, 1.0)


def test_a_comparison_names_the_first_number_that_differs_and_counts_them():
    came = np.array([[1.0, 2.5], [3.0, 5.0]])
    answer = Answer("values/0", Outcome.RETURNED, "one", (Result(came, "float64", "array"),))
    found = compare("f(x)", np.array([[1.0, 2.0], [3.0, 4.0]]), answer, 0, 1e-6)
    assert (found.first_index, found.expected, found.got) == ((0, 1), 2.0, 2.5)
    assert (found.differing, found.size, found.largest_difference) == (2, 4, 1.0)

"""Every way of writing a bug changes some answer to some probe of some exercise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attnpack.terms import Backend
from checks.bugs import catalogue
from checks.draft import OWN_RULES
from checks.enacting import examples
from checks.exercises import EXERCISES
from checks.short_form import plan

ORDER = (Backend.TORCH, Backend.NUMPY)
"""torch first: its layers have biases; integers are asked about in numpy"""


@pytest.fixture(scope="module")
def asked():
    """Exercise and backend -> its probes in the short form, which no bug passes."""
    plans = {
        (exercise, backend): plan(exercise.name, backend, np.random.default_rng(3))
        for exercise in EXERCISES
        for backend in ORDER
        if backend in exercise.backends
    }
    return {
        key: [probe for probe in made.probes if not probe.tags & OWN_RULES]
        for key, made in plans.items()
    }


def shows(model, exercise, probes):
    for probe in probes:
        kept = {}
        for call, expected in zip(probe.calls, probe.expected_results, strict=True):
            try:
                results = exercise.pipeline.run({"mask": None, **call, "kept": kept}, (model,))
            except Exception:  # what the arrays do not allow raises in a learner
                return True
            for array, right in zip(results["results"], expected, strict=False):
                if np.shape(array) != right.shape or not np.allclose(array, right, equal_nan=True):
                    return True
            if len(results["results"]) != len(expected):
                return True
    return False


@pytest.mark.parametrize("bug", list(catalogue()))
def test_every_way_of_writing_a_bug_shows_somewhere(bug, asked):
    with np.errstate(all="ignore"):
        for entry in catalogue()[bug].models:
            model = replace(next(examples(entry)), bug=bug)
            places = [key for key in asked if key[0].pipeline.has(model)]
            assert places, f"no exercise can hold {bug}, {model.label}"
            showing = (key for key in places if shows(model, key[0], asked[key]))
            assert next(showing, None), f"{bug}, {model.label} changes nothing"

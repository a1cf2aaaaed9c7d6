"""The search for models on a pipeline that has nothing to do with attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack.diagnosis.matching import Explanation, Search
from attnpack.diagnosis.models import Model, Pipeline, State, Step
from attnpack.diagnosis.observed import Ended, Observation, ObservedProbe, residual

if TYPE_CHECKING:
    from collections.abc import Sequence

ALLOWED = 1e-6


def double(state: State) -> None:
    state["y"] = 2.0 * state["x"]


def add_one(state: State) -> None:
    state["y"] = state["y"] + 1.0


def total(state: State) -> None:
    state["results"] = (state["y"].sum(axis=0),)


PIPELINE = Pipeline("sum of 2x + 1", (("double", double), ("add", add_one), ("total", total)))


def step(name: str, change: object) -> Step:
    def changed(state: State) -> None:
        state["y"] = change(state["x"] if name == "double" else state["y"])  # type: ignore[operator]

    return changed


def model(bug: str, name: str, change: object, rank: int = 0) -> Model:
    return Model(bug, {name: step(name, change)}, rank=rank)


TRIPLES = model("triples", "double", lambda x: 3.0 * x)
SQUARES = model("squares", "double", lambda x: x * x)
ADDS_TWO = model("adds two", "add", lambda y: y + 2.0)
FORGETS = model("forgets to add", "add", lambda y: y)
LAST_AXIS = Model(
    "sums the last axis", {"total": lambda s: s.update(results=(s["y"].sum(axis=-1),))}
)
FITS_SQUARES_ONLY = Model(
    "needs a square", {"double": lambda s: s.update(y=2.0 * s["x"] + 0.0 * (s["x"] @ s["x"]))}
)
MODELS = (TRIPLES, SQUARES, ADDS_TWO, FORGETS, LAST_AXIS, FITS_SQUARES_ONLY)


def observed(learner: Sequence[Model], *shapes: tuple[int, ...]) -> list[ObservedProbe]:
    rng = np.random.default_rng(3)
    found = []
    for number, shape in enumerate(shapes):
        state: State = {"x": rng.normal(size=shape)}
        right = PIPELINE.run(state, ())["results"]
        try:
            arrays = PIPELINE.run(state, learner)["results"]
        except ValueError:
            came = Observation(Ended.RAISED, wrong=True)
        else:
            wrong = arrays[0].shape != right[0].shape or not np.allclose(arrays[0], right[0])
            came = Observation(Ended.NUMBERS, arrays, (ALLOWED,), (None,), wrong)
        found.append(ObservedProbe(f"stage/{number}", (state,), (came,)))
    return found


def search(learner: Sequence[Model], *shapes: tuple[int, ...]) -> Search:
    return Search(PIPELINE, observed(learner, *shapes), (), lambda _: False)


def names(found: Sequence[Explanation]) -> list[tuple[str, ...]]:
    return [explanation.bugs for explanation in found]


@pytest.mark.parametrize("bug", MODELS, ids=lambda bug: bug.bug)
def test_every_single_model_is_found_as_itself(bug: Model) -> None:
    found = search([bug], (2, 3), (4, 4), (1, 5)).singles(MODELS)
    assert names(found) == [(bug.bug,)]


def test_a_model_that_raises_where_the_learner_raised_is_a_match() -> None:
    found = search([FITS_SQUARES_ONLY], (2, 3), (3, 3)).singles(MODELS)
    assert names(found) == [("needs a square",)]


def test_two_models_are_found_together_when_no_single_one_is_enough() -> None:
    looking = search([TRIPLES, FORGETS], (2, 3), (4, 4))
    assert looking.singles(MODELS) == []
    assert set(names(looking.pairs(MODELS))[0]) == {"triples", "forgets to add"}


def test_models_of_the_same_step_are_no_pair() -> None:
    looking = search([model("times five", "double", lambda x: 5.0 * x)], (2, 3))
    assert looking.pairs((TRIPLES, SQUARES)) == []


def test_the_simpler_of_two_equal_models_comes_first() -> None:
    rarer = model("triples by adding", "double", lambda x: x + x + x, rank=2)
    found = search([TRIPLES], (2, 3), (4, 4)).singles((rarer, TRIPLES))
    assert names(found) == [("triples",), ("triples by adding",)]


def test_the_closer_of_two_models_within_the_tolerance_is_named_alone() -> None:
    nearly = model("nearly triples", "double", lambda x: 3.0 * x + 1e-8)
    found = search([nearly], (2, 3), (4, 4)).singles((TRIPLES, nearly))
    assert names(found) == [("nearly triples",)]


def test_nothing_is_named_where_nothing_fits() -> None:
    looking = search([model("cubes", "double", lambda x: x**3)], (2, 3), (4, 4))
    assert looking.singles(MODELS) == []
    assert looking.pairs(MODELS) == []


def test_a_style_that_shows_only_beside_a_bug_is_tried_with_it() -> None:
    def rounded(state: State) -> None:
        state["y"] = np.round(state["y"] + 1.0, 2)

    style = Model("", {"add": rounded}, "rounded")
    looking = Search(PIPELINE, observed([TRIPLES, style], (2, 3)), (style,), lambda _: True)
    assert names(looking.singles((TRIPLES,))) == [("triples",)]


def test_numbers_that_do_not_count_are_not_compared() -> None:
    came = Observation(
        Ended.NUMBERS, (np.array([1.0, np.nan]),), (ALLOWED,), (np.array([True, False]),), True
    )
    assert residual((np.array([1.0, 5.0]),), came) is not None
    assert residual((np.array([2.0, 5.0]),), came) is None


def test_nan_is_equal_to_nan_and_infinity_to_itself_only() -> None:
    came = Observation(Ended.NUMBERS, (np.array([np.nan, np.inf]),), (ALLOWED,), (None,), True)
    with np.errstate(invalid="ignore"):
        assert residual((np.array([np.nan, np.inf]),), came) == 0.0
        assert residual((np.array([np.nan, -np.inf]),), came) is None
        assert residual((np.array([0.0, np.inf]),), came) is None


def test_scalar_overflow_matches_what_arrays_hold_instead() -> None:
    came = Observation(Ended.OVERFLOWED, wrong=True)
    assert residual((np.array([np.inf]),), came) == 0.0
    assert residual((np.array([1.0]),), came) is None

"""`attnpack dev check`: what it holds the pack to, and that it notices when the pack breaks it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from attnpack.pack.checks import rehearsal, stages
from attnpack.pack.checks.bugs import catalogue, ways
from attnpack.pack.checks.bugs.ways import Quantity
from attnpack.pack.checks.enacting import EXAMPLES, enact
from attnpack.pack.checks.exercises import EXERCISES as EVERY
from attnpack.pack.checks.judging import judge, plan
from sampled import in_their_backends

from attnpack import pack
from attnpack.calls import Outcome
from attnpack.host.pool import open_pool
from attnpack.pack import promises
from attnpack.pack.kinds import Thoroughness
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attnpack.host.pool import GuestPool
    from attnpack.submission import Submission

PART = promises.Part(pack.load())
EXERCISES = [exercise.name for exercise in pack.load().exercises]


@pytest.fixture(scope="module")
def guests() -> Iterator[GuestPool]:
    with open_pool(Backend.NUMPY) as pool:
        yield pool


def test_every_id_of_the_vocabulary_has_a_card_and_every_card_a_model_or_a_reason() -> None:
    assert list(promises.cards(PART)) == []


def test_a_card_without_a_model_and_without_a_reason_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bugs = dict(catalogue())
    strict = bugs["causal-strict"]
    bugs["causal-strict"] = replace(strict, models=(), equals=("no-such-bug",))
    del bugs["raises"]
    monkeypatch.setattr(type(pack.load()), "bugs", lambda _: bugs)
    assert list(promises.cards(PART)) == [
        "raises of the vocabulary has no card",
        "causal-strict has neither a model nor a reason why it has none",
        "causal-strict is declared equal to no-such-bug, which has no card",
    ]


def test_every_stub_is_not_started_and_every_reference_passes(guests: GuestPool) -> None:
    assert list(promises.stubs(PART, Backend.NUMPY, guests)) == []
    assert list(promises.references(PART, Backend.NUMPY, guests)) == []


def test_a_reference_among_the_stubs_and_a_stub_among_the_references_are_noticed(
    guests: GuestPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = promises.submissions.load
    other = {"exercises": "reference", "reference": "exercises"}

    def swapped(path: Path, of: pack.Pack) -> Submission:
        return load(of.root / other[path.parent.name] / path.name, of)

    monkeypatch.setattr(promises.submissions, "load", swapped)
    assert len(list(promises.stubs(PART, Backend.NUMPY, guests))) == len(EXERCISES)
    assert len(list(promises.references(PART, Backend.NUMPY, guests))) == len(EXERCISES)


@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_a_learner_made_of_no_bug_passes(exercise: str, backend: Backend) -> None:
    asked = plan(exercise, backend, np.random.default_rng(1))
    verdicts = judge(asked, enact(asked, [])).verdicts
    before_gradients = [v for v in verdicts if v.stage != stages.GRADIENTS]
    assert {verdict.status for verdict in before_gradients} == {Status.PASSED}


def test_a_model_that_cannot_run_on_the_numbers_raises_as_a_learner_would() -> None:
    asked = plan("attention_scores", Backend.NUMPY, np.random.default_rng(1))
    (transpose,) = (m for m in catalogue()["full-transpose"].models if not m.label)
    outcomes = {answer.outcome for answer in enact(asked, [transpose]).answers.values()}
    assert outcomes == {Outcome.RETURNED, Outcome.RAISED}


def test_every_quantity_that_a_model_takes_has_an_example() -> None:
    assert set(EXAMPLES) == set(Quantity)


@pytest.mark.exhaustive
@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_two_bugs_agree_on_every_probe_unless_declared_equal(exercise: str) -> None:
    assert rehearsal.collisions(exercise, Backend.NUMPY) == []


def test_bugs_that_are_not_declared_equal_are_reported_with_what_they_collide_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rehearsal, "declared_equal", lambda first, second, _: first == second)
    assert (
        "scale-no-sqrt collides with scale-twice"
        in rehearsal.rehearse("attention_scores", Backend.NUMPY, Thoroughness.SAMPLE).faults
    )


def test_one_bug_alone_is_acted_out_in_every_way_it_is_written() -> None:
    sampled = rehearsal.rehearse("attention_scores", Backend.NUMPY, Thoroughness.SAMPLE)
    alone = rehearsal.rehearse(
        "attention_scores", Backend.NUMPY, Thoroughness.SAMPLE, "scale-multiplied"
    )
    ways = len(catalogue()["scale-multiplied"].models)
    assert (alone.singles, alone.pairs, alone.faults) == (ways, 0, ())
    assert ways < sampled.singles


def test_two_bugs_may_be_equal_only_where_an_exercise_has_a_trait() -> None:
    exercises = {exercise.name: exercise for exercise in EVERY}
    bug = replace(
        catalogue()["scale-by-d-model"], equals_where={"scale-by-length": ways.GIVEN_MASK}
    )
    assert "scale-by-length" in bug.equals_in(exercises["scaled_dot_product_attention"])
    assert "scale-by-length" not in bug.equals_in(exercises["attention_scores"])
    assert "scale-by-num-heads" in bug.equals_in(exercises["attention_scores"])

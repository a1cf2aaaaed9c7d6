"""Small changes of the solutions: every one is noticed, unless it changes nothing."""

from __future__ import annotations

import pytest

from attnpack import pack
from attnpack.terms import Backend
from bench.mutants.by_hand import EQUIVALENT
from bench.mutants.campaign import Fate, outcome, survives
from bench.mutants.mutate import mutants

EXERCISES = {exercise.name: exercise for exercise in pack.load().exercises}
QUICK = (
    "softmax",
    "attention_scores",
    "causal_mask",
    "apply_attention",
    "layer_norm",
    "feed_forward",
)


def solution(name: str) -> str:
    path = pack.load().reference_path(Backend.NUMPY, EXERCISES[name].file)
    return path.read_text(encoding="utf-8")


def changes(source: str) -> list[str]:
    return [mutant.change for mutant in mutants(source)]


@pytest.mark.parametrize(
    "expected",
    [
        "x[..., 0] -> x[..., 1]",
        "x[..., 0] -> x",
        "x[1:] -> x[:]",
        "f(a, b) -> f(b, a)",
        "f(a, b) -> a",
        "f(a, b) -> f(b)",
        "f(a, axis=-1) -> f(a, axis=0)",
        "a @ b -> a",
        "a @ b -> b @ a",
        "a @ b -> a * b",
        "a <= b -> a < b",
        "a if c else b -> a",
        "x.copy() -> x",
        "W_q -> W_k",
        "True -> False",
        "2.5 -> 25.0",
    ],
)
def test_every_kind_of_change_is_made(expected: str) -> None:
    before, after = expected.split(" -> ")
    assert f"y = {before} -> y = {after}" in changes(f"y = {before}\n")


def test_statements_are_dropped_and_docstrings_imports_and_random_numbers_left_alone() -> None:
    source = '"""Words 1."""\nimport os\n\n\ndef random_matrix():\n    return 1\n\n\ny = 1\n'
    assert {change.split(" -> ")[0] for change in changes(source)} == {"y = 1"}
    assert "y = 1 -> pass" in changes(source)


def test_no_two_mutants_are_alike_and_each_is_python() -> None:
    texts = [mutant.source for mutant in mutants(solution("SelfAttention"))]
    assert len(set(texts)) == len(texts)
    assert all(compile(text, "mutant.py", "exec") for text in texts)


@pytest.mark.parametrize("name", QUICK)
def test_every_change_of_a_short_solution_is_noticed_or_known_to_be_right(name: str) -> None:
    outcomes = [
        outcome(Backend.NUMPY, EXERCISES[name], mutant) for mutant in mutants(solution(name))
    ]
    survived = {one.mutant.change for one in outcomes if one.fate is Fate.SURVIVED}
    assert survived == set(EQUIVALENT.get(name, {}))
    right = [one for one in outcomes if one.fate is Fate.SURVIVED]
    assert all(survives(Backend.NUMPY, one, seeds=2) for one in right)


def test_the_changes_decided_by_hand_are_still_among_the_mutants() -> None:
    for name, by_hand in EQUIVALENT.items():
        assert set(by_hand) <= set(changes(solution(name)))

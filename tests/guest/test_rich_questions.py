"""Nested arguments, keywords, named methods and parameters of any name and shape."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from attnpack.calls import Answer, Build, Call, Fill, Forward, Outcome, Question, Task
from attnpack.host.inprocess import run_in_process

SQUARE = np.arange(4.0).reshape(2, 2)
WEIGHTS = {"gain": np.ones(2), "blocks": [{"W_1": SQUARE}, {"W_1": 2 * SQUARE}], "heads": 3}
NESTED = """
    def tiny_gpt(tokens, weights, scale=1.0):
        first, second = weights["blocks"]
        assert weights["heads"] == 3
        return scale * (first["W_1"] @ second["W_1"] * weights["gain"])[tokens]
"""


def answers(source: str, exercise: str, backend: str, *asked: Question) -> dict[str, Answer]:
    task = Task(exercise, "block.py", {"block.py": dedent(source)}, backend, asked)
    ran = run_in_process(task)
    assert ran.loaded.outcome is Outcome.RETURNED, ran.loaded
    return dict(ran.answers)


def answer_of_nested(source: str, backend: str = "numpy", **how: Any) -> Answer:
    call = Call("c", "tiny_gpt", (np.array([1, 0]), WEIGHTS), {"scale": 2.0}, **how)
    return answers(source, "tiny_gpt", backend, call)["c"]


def test_dictionaries_and_lists_of_arrays_are_handed_over_as_they_are() -> None:
    answer = answer_of_nested(NESTED)
    np.testing.assert_allclose(answer.arrays[0], (4 * SQUARE @ SQUARE)[[1, 0]])
    assert answer.changed == {}


@pytest.mark.parametrize(
    ("slip", "path"),
    [
        ('weights["blocks"][1]["W_1"] *= 0', "1/blocks/1/W_1"),
        ('weights.pop("gain")', "1/gain"),
        ('weights["blocks"].clear()', "1/blocks/0/W_1"),
        ("tokens[0] = 0", "0"),
    ],
)
def test_a_change_is_told_by_the_path_of_what_was_changed(slip: str, path: str) -> None:
    answer = answer_of_nested(f"def tiny_gpt(tokens, weights, scale):\n    {slip}\n")
    assert path in answer.changed


def test_a_change_of_the_callers_dictionary_does_not_reach_the_next_call() -> None:
    source = "def tiny_gpt(tokens, weights):\n    return weights.pop('gain')\n"
    calls = [Call(key, "tiny_gpt", (np.array([0]), WEIGHTS)) for key in ("first", "second")]
    found = answers(source, "tiny_gpt", "numpy", *calls)
    np.testing.assert_array_equal(found["second"].arrays[0], [1.0, 1.0])


def test_every_array_of_floats_in_a_dictionary_has_its_gradient() -> None:
    pytest.importorskip("torch")
    answer = answer_of_nested(NESTED, "torch", cotangents=(np.ones((2, 2)),))
    assert set(answer.gradients) == {"1/gain", "1/blocks/0/W_1", "1/blocks/1/W_1"}
    np.testing.assert_allclose(answer.gradients["1/gain"], 4 * (SQUARE @ SQUARE).sum(axis=0))


def test_lists_of_values_are_matrices_and_no_nested_arguments() -> None:
    source = """
    def mix(weights, V):
        return [[sum(w * v for w, v in zip(row, c)) for c in zip(*V)] for row in weights]
    """
    call = Call("c", "mix", (SQUARE, SQUARE), cotangents=(np.ones((2, 2)),))
    answer = answers(source, "mix", "value", call)["c"]
    np.testing.assert_allclose(answer.arrays[0], SQUARE @ SQUARE)
    np.testing.assert_allclose(answer.gradients["1"], SQUARE.T @ np.ones((2, 2)))


def test_a_method_is_called_by_its_name() -> None:
    source = """
    class CachedAttention:
        def prefill(self, x):
            self.seen = x
            return x
        def step(self, x):
            return self.seen + x
    """
    methods = ("prefill", "step", "rewind")
    forwards = [Forward(method, "o", (SQUARE,), method=method) for method in methods]
    build = Build("build", "o", "CachedAttention", ())
    found = answers(source, "CachedAttention", "numpy", build, *forwards)
    np.testing.assert_allclose(found["step"].arrays[0], 2 * SQUARE)
    assert found["rewind"].outcome is Outcome.NOT_DEFINED


NARROW = """
import torch
class Layer(torch.nn.Module):
    def __init__(self, width, narrow):
        super().__init__()
        self.W_k = {layer}(width, narrow)
        self.gain = torch.nn.Parameter(torch.ones(width))
    def forward(self, x):
        return self.W_k(self.gain * x)
"""
STRAIGHT = """
import torch
class Straight(torch.nn.Module):
    def __init__(self, width, narrow):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(width, narrow))
        self.bias = torch.nn.Parameter(torch.zeros(narrow))
    def forward(self, x):
        return x @ self.weight + self.bias
"""


@pytest.mark.parametrize("layer", ["torch.nn.Linear", "Straight"])
def test_parameters_may_have_any_name_and_shape(layer: str) -> None:
    pytest.importorskip("torch")
    shapes = {"W_k": (2, 3), "gain": (2,)}
    numbers = {"W_k": np.arange(6.0).reshape(2, 3), "gain": np.array([1.0, 2.0]), "b_k": np.ones(3)}
    found = answers(
        STRAIGHT + NARROW.format(layer=layer),
        "Layer",
        "torch",
        Build("build", "o", "Layer", (2, 3), parameters=shapes, biases={"b_k": "W_k"}),
        Fill("fill", "o", numbers),
        Forward("forward", "o", (SQUARE,), cotangents=(np.ones((2, 3)),)),
    )
    assert found["build"].facts["biases"] == ["b_k"]
    assert found["build"].facts["parameters"] == ["W_k", "gain"]
    scaled = SQUARE * numbers["gain"]
    np.testing.assert_allclose(found["forward"].arrays[0], scaled @ numbers["W_k"] + 1.0)
    np.testing.assert_allclose(found["forward"].gradients["W_k"], scaled.T @ np.ones((2, 3)))


def test_what_is_missing_is_told_of_the_names_that_were_asked_for() -> None:
    source = "class Layer:\n    def __init__(self): self.gain = [1.0, 2.0]\n"
    build = Build("build", "o", "Layer", (), parameters={"gain": (2,), "bias": (2,)})
    facts = answers(source, "Layer", "numpy", build)["build"].facts
    assert (facts["matrices"], facts["missing"]) == ({"gain": [2]}, ["bias"])

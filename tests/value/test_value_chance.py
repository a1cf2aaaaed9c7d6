"""In numpy and value the source says why a second call gave another answer."""

from __future__ import annotations

import pytest
from submitted import submit

from attnpack.terms import Status

NUMPY = """
import numpy as np

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = (self.new(d_model) for _ in range(4))

    def new(self, d):
        return np.random.randn(d, d) * 0.1

    def forward(self, x, causal=True):
        T, d = x.shape[-2:]
        scores = (x @ self.W_q) @ np.swapaxes(x @ self.W_k, -1, -2) / np.sqrt(d)
        if causal:
            scores = np.where(np.tril(np.ones((T, T))) == 0, {fill}, scores)
        {before}
        e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
        {after}
        return weights @ (x @ self.W_v) @ self.W_o
"""
VALUE = """
import math
import random

from attnpack.value import Value

def attention_scores(Q, K, d_k):
    rows = []
    for q in Q:
        row = []
        for k in K:
            total = sum((a * b for a, b in zip(q, k)), Value(0.0))
            {line}
            row.append(total / math.sqrt(d_k))
        rows.append(row)
    return rows
"""


@pytest.mark.parametrize(
    ("before", "after", "fill", "name"),
    [
        ("", "weights = weights * (np.random.rand(*weights.shape) > 0.2)", -1e9, "dropout-in-eval"),
        (
            "scores = scores * np.random.binomial(1, 0.5, scores.shape)",
            "",
            "-np.inf",
            "dropout-before-softmax",
        ),
        ("", "x = x @ np.random.randn(d, d)", -1e9, "layer-made-in-forward"),
        ("", "x = x @ np.random.normal(size=(d, d))", -1e9, "layer-made-in-forward"),
        ("scores = scores + 0.1 * np.random.randn(T, T)", "", -1e9, "state-between-calls"),
    ],
)
def test_numpy_chance_has_its_own_name_and_line(
    before: str, after: str, fill: object, name: str
) -> None:
    text = NUMPY.format(before=before, after=after, fill=fill)
    outcome = submit(text, "SelfAttention", "numpy")
    assert outcome.status is Status.FAILED
    assert (outcome.name, outcome.line) == (name, before or after)


def test_numbers_drawn_for_the_constructor_alone_are_no_chance() -> None:
    text = NUMPY.format(before="", after="", fill=-1e9)
    assert submit(text, "SelfAttention", "numpy").status is Status.PASSED
    counted = text.replace(
        "T, d = x", "self.calls = getattr(self, 'calls', 0) + 1; x = x * self.calls; T, d = x"
    )
    assert submit(counted, "SelfAttention", "numpy").name == "state-between-calls"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("total = total * (random.random() < 0.5)", "dropout-in-eval"),
        ("total = total + random.gauss(0, 0.1)", "state-between-calls"),
    ],
)
def test_value_chance_has_its_own_name_and_line(line: str, name: str) -> None:
    outcome = submit(VALUE.format(line=line), "attention_scores", "value")
    assert outcome.status is Status.FAILED
    assert (outcome.name, outcome.line) == (name, line)

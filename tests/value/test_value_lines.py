"""Lines of value code: rows, dot products and helper methods are part of their caller's line."""

from __future__ import annotations

import pytest
from submitted import submit

from attnpack.terms import Status

SCORES = """
import math

from attnpack.value import Value

def attention_scores(Q, K, d_k):
    scores = []
    for q in Q:
        row = []
        for k in K:
            {dot}
            row.append({scaled})
        scores.append(row)
    return scores
"""
SELF_ATTENTION = """
import math
import random

from attnpack.value import Value

class SelfAttention:
    def __init__(self, d_model):
        def new():
            return [[Value(random.gauss(0, 0.4)) for _ in range(d_model)] for _ in range(d_model)]
        self.W_q, self.W_k, self.W_v, self.W_o = new(), new(), new(), new()

    def dot(self, a, b):
        return sum((x * y for x, y in zip(a, b)), Value(0))

    def matmul(self, A, B):
        return [[self.dot(row, column) for column in zip(*B)] for row in A]

    def forward(self, x, causal=True):
        q = self.matmul(x, self.W_q)
        k = self.matmul(x, self.W_k)
        {values}
        mixed = []
        for i in range(len(x)):
            seen = i + 1 if causal else len(x)
            s = [self.dot(q[i], k[j]) / math.sqrt(len(x[0])) for j in range(seen)]
            top = max(t.data for t in s)
            e = [(t - top).exp() for t in s]
            z = sum(e, Value(0))
            mixed.append([self.dot([w / z for w in e], column[:seen]) for column in zip(*v)])
        {result}
"""
DOT = "dot = sum((a * b for a, b in zip(q, k)), Value(0.0))"
SLOPES = (
    "dot = Value(sum(a.data * b.data for a, b in zip(q, k)), (*q, *k), "
    "tuple(a.data for a in q) + tuple(b.data for b in k))"
)
RIGHT = "dot / math.sqrt(d_k)"


@pytest.mark.parametrize(
    ("dot", "scaled", "name", "line"),
    [
        (DOT.replace("a * b", "a.data * b"), RIGHT, "graph-detached", None),
        (DOT, "Value(dot.data / math.sqrt(d_k))", "graph-detached", None),
        (DOT, "dot / d_k", "scale-no-sqrt", "row.append(dot / d_k)"),
        (
            SLOPES,
            RIGHT,
            "gradient-wrong",
            None,
        ),
    ],
)
def test_scores_are_blamed_where_a_number_is_made(
    dot: str, scaled: str, name: str, line: str | None
) -> None:
    outcome = submit(SCORES.format(dot=dot, scaled=scaled), "attention_scores", "value")
    assert outcome.status is Status.FAILED
    assert outcome.name == name
    assert outcome.line in ([line] if line else [dot, f"row.append({scaled})"])


@pytest.mark.parametrize(
    ("values", "result", "name", "line"),
    [
        (
            "v = self.matmul(x, self.W_q)",
            "return self.matmul(mixed, self.W_o)",
            "value-from-queries",
            "v = self.matmul(x, self.W_q)",
        ),
        (
            "v = self.matmul(x, self.W_v)",
            "return self.matmul(mixed, list(zip(*self.W_o)))",
            "output-projection-transposed",
            "return self.matmul(mixed, list(zip(*self.W_o)))",
        ),
    ],
)
def test_a_helper_that_is_right_elsewhere_is_not_blamed(
    values: str, result: str, name: str, line: str
) -> None:
    text = SELF_ATTENTION.format(values=values, result=result)
    outcome = submit(text, "SelfAttention", "value")
    assert (outcome.name, outcome.line) == (name, line)

"""In train mode dropout acts: numbers stay finite and masks closed, nothing more is asked."""

from __future__ import annotations

import pytest
from submitted import submit

from attnpack.terms import Status

MODULE = """
import math

import torch
import torch.nn.functional as F
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(0.3)

    def forward(self, x, causal=True):
        T = x.shape[-2]
        scores = self.W_q(x) @ self.W_k(x).transpose(-2, -1) / math.sqrt(x.shape[-1])
        {first}
        if causal:
            hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
            scores = scores.masked_fill(hidden, {fill})
        {second}
        weights = torch.softmax(scores, dim=-1)
        {third}
        return self.W_o(weights @ self.W_v(x))
"""


def module(first: str = "", second: str = "", third: str = "", fill: str = "float('-inf')") -> str:
    return MODULE.format(first=first, second=second, third=third, fill=fill)


@pytest.mark.parametrize(
    "text",
    [
        module(third="weights = self.drop(weights)"),
        module(third="weights = F.dropout(weights, 0.5, self.training)"),
        module(first="scores = self.drop(scores)"),
        module(),
    ],
)
def test_dropout_that_leaves_masked_scores_alone_is_right(text: str) -> None:
    assert submit(text, "SelfAttention", "torch").status is Status.PASSED


@pytest.mark.parametrize("fill", ["float('-inf')", "-1e9"])
def test_dropout_on_masked_scores_is_found_though_it_never_shows_in_eval(fill: str) -> None:
    outcome = submit(
        module(second="scores = self.drop(scores)", fill=fill), "SelfAttention", "torch"
    )
    assert (outcome.stage, outcome.status) == ("values", Status.FAILED)
    assert "train() mode" in outcome.message
    assert outcome.name == "dropout-before-softmax"
    assert outcome.line == "scores = self.drop(scores)"


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        (
            module(third="weights = F.dropout(weights, 0.3)"),
            "dropout-in-eval",
            "weights = F.dropout(weights, 0.3)",
        ),
        (
            module(third="weights = weights * (torch.rand_like(weights) > 0.3) / 0.7"),
            "dropout-in-eval",
            "weights = weights * (torch.rand_like(weights) > 0.3) / 0.7",
        ),
        (
            module(second="scores = F.dropout(scores, 0.3)"),
            "dropout-before-softmax",
            "scores = F.dropout(scores, 0.3)",
        ),
        (
            module(third="x = nn.Linear(x.shape[-1], x.shape[-1])(x)"),
            "layer-made-in-forward",
            "x = nn.Linear(x.shape[-1], x.shape[-1])(x)",
        ),
        (
            module(second="scores = scores + 0.1 * torch.randn(T, T)"),
            "state-between-calls",
            "scores = scores + 0.1 * torch.randn(T, T)",
        ),
    ],
)
def test_chance_in_eval_goes_by_its_own_name_and_line(text: str, name: str, line: str) -> None:
    outcome = submit(text, "SelfAttention", "torch")
    assert outcome.status is Status.FAILED
    assert (outcome.name, outcome.line) == (name, line)


def test_layers_that_only_forward_makes_are_missing_and_named() -> None:
    text = module().replace("super().__init__()", "super().__init__(); return", 1)
    text = text.replace("T = x.shape[-2]", "T = x.shape[-2]; self.make(x.shape[-1])")
    text += """
    def make(self, d_model):
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
"""
    outcome = submit(text, "SelfAttention", "torch")
    assert outcome.stage == "shapes"
    assert outcome.name == "layer-made-in-forward"

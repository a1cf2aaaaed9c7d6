"""Where torch code leaves the graph, changes it in place, or hides layers."""

from __future__ import annotations

import pytest
from submitted import submit

ATTENTION = """
import math

import torch
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.size, self.d_k = d_model, d_model
        {layers}
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    {more}

    def forward(self, x, causal=True):
        T = x.shape[-2]
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if causal:
            hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
            scores = scores.masked_fill_(hidden, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        {line}
        return self.W_o(weights @ v)
"""
LAYER = "self.W_q = nn.Linear(d_model, d_model)"
HIDDEN = "self.layers = [nn.Linear(d_model, d_model)]"
FOUND = "W_q = property(lambda self: self.layers[0])"


@pytest.mark.parametrize(
    ("layers", "more", "line", "name"),
    [
        (LAYER, "", "weights = weights.detach()", "graph-detached"),
        (LAYER, "", "v = v.data", "graph-detached"),
        (LAYER, "", "weights = weights.mul_(1.0)", "inplace-breaks-graph"),
        (HIDDEN, FOUND, "", "parameters-unregistered"),
    ],
)
def test_a_broken_graph_has_its_name_and_line(layers: str, more: str, line: str, name: str) -> None:
    text = ATTENTION.format(layers=layers, more=more, line=line)
    outcome = submit(text, "SelfAttention", "torch")
    assert (outcome.name, outcome.line) == (name, line or layers)


def test_a_wrong_derivative_is_blamed_in_the_backward_that_was_written() -> None:
    text = """
    import torch

    class _Softmax(torch.autograd.Function):
        @staticmethod
        def forward(ctx, scores):
            weights = torch.softmax(scores, dim=-1)
            ctx.save_for_backward(weights)
            return weights

        @staticmethod
        def backward(ctx, gradient):
            (weights,) = ctx.saved_tensors
            return gradient * weights

    def softmax(scores):
        return _Softmax.apply(scores)
    """
    outcome = submit(text, "softmax", "torch")
    assert (outcome.name, outcome.line) == ("gradient-wrong", "return gradient * weights")


def test_an_axis_left_to_torch_is_told_from_one_that_is_named() -> None:
    left = (
        "import torch.nn.functional as F\n\ndef softmax(scores):\n    return F.softmax(scores{})\n"
    )
    assert submit(left.format(""), "softmax", "torch").name == "softmax-implicit-dim"
    assert submit(left.format(", dim=1"), "softmax", "torch").name != "softmax-implicit-dim"

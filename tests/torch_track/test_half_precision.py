"""Masks in half precision are noted, and never fail."""

from __future__ import annotations

import pytest
from submitted import submit

from attnpack.terms import Status

ATTENTION = """
import math

import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None and mask.dtype == torch.bool:
        {masked}
    elif mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
"""
OF_HALF = {"half-fill-overflow", "half-min-plus-score", "mask-dtype-promotes"}


@pytest.mark.parametrize(
    ("masked", "noted"),
    [
        ("scores = scores.masked_fill(~mask, -1e9)", {"half-fill-overflow"}),
        ("scores = scores + torch.where(mask, 0.0, -1e9)", {"mask-dtype-promotes"}),
        ("scores = scores + (~mask).float() * -1e9", {"mask-dtype-promotes"}),
        (
            "scores = scores + (~mask).to(scores.dtype) * torch.finfo(scores.dtype).min",
            {"half-min-plus-score"},
        ),
        ("scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)", set()),
        ("scores = scores.masked_fill(~mask, float('-inf'))", set()),
    ],
)
def test_what_a_mask_does_in_half_precision_is_noted(masked: str, noted: set[str]) -> None:
    outcome = submit(ATTENTION.format(masked=masked), "scaled_dot_product_attention", "torch")
    assert outcome.status is Status.PASSED
    assert outcome.notes & OF_HALF == noted


def test_computing_in_single_precision_throughout_says_nothing_about_the_mask() -> None:
    text = ATTENTION.format(masked="scores = scores.masked_fill(~mask, -1e9)")
    wide = "    Q, K, V = (t.to(torch.promote_types(t.dtype, torch.float32)) for t in (Q, K, V))\n"
    text = text.replace("    scores = Q", f"{wide}    scores = Q")
    outcome = submit(text, "scaled_dot_product_attention", "torch")
    assert outcome.status is Status.PASSED
    assert not outcome.notes & OF_HALF


def test_a_view_of_an_argument_is_noted_and_reshape_is_not() -> None:
    flat = "scores = (Q.{way}(-1, *Q.shape[-2:]) @ K.reshape(-1, *K.shape[-2:]).transpose(-2, -1))"
    for way, noted in (("view", True), ("reshape", False)):
        scores = f"{flat.format(way=way)}.reshape(*Q.shape[:-1], -1) / math.sqrt(Q.shape[-1])"
        text = ATTENTION.format(masked="scores = scores.masked_fill(~mask, float('-inf'))")
        old = "scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])"
        outcome = submit(text.replace(old, scores), "scaled_dot_product_attention", "torch")
        assert outcome.status is Status.PASSED
        assert ("view-on-transposed" in outcome.notes) is noted

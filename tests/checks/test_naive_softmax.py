"""The first softmax that most people write: no maximum is subtracted, and perhaps more is wrong."""

from __future__ import annotations

import pytest
from submitted import submit

NAIVE = """\
import numpy as np


def softmax(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)
"""


@pytest.mark.parametrize("seed", range(3))
def test_where_only_the_maximum_is_missing_the_exponentials_are_to_blame(seed: int) -> None:
    said = submit(NAIVE, "softmax", "numpy", seed)
    assert said.name == "softmax-overflow"
    assert said.line == "e = np.exp(scores)"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("total", "bug"),
    [
        ("e.sum(axis=-2, keepdims=True)", "softmax-over-queries"),
        ("e.sum()", "softmax-whole-matrix"),
    ],
)
def test_where_the_sum_is_wrong_as_well_the_sum_is_to_blame(
    total: str, bug: str, seed: int
) -> None:
    text = NAIVE.replace("e.sum(axis=-1, keepdims=True)", total)
    said = submit(text, "softmax", "numpy", seed)
    assert said.name == bug
    assert said.line == f"return e / {total}"

"""What is noted of a causal mask."""

from __future__ import annotations

import pytest
from submitted import submit

MASK = """\
import numpy as np


def causal_mask(seq_len):
    return {made}
"""


def test_a_fill_that_closes_with_little_room_is_noted() -> None:
    made = "np.triu(np.full((seq_len, seq_len), -1e6), 1)"
    assert submit(MASK.format(made=made), "causal_mask", "numpy").notes == {"mask-fill-too-small"}


@pytest.mark.parametrize(
    "made", ["np.tril(np.ones((seq_len, seq_len)))", "np.zeros((seq_len, seq_len))"]
)
def test_of_a_mask_that_closes_nothing_no_room_is_noted(made: str) -> None:
    assert submit(MASK.format(made=made), "causal_mask", "numpy").notes == set()

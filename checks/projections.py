"""The four matrices of a class that projects one sequence, and the biases that layers may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .draft import Inputs

MATRICES = ("W_q", "W_k", "W_v", "W_o")
BIASES = {"b_q": "W_q", "b_k": "W_k", "b_v": "W_v", "b_o": "W_o"}


def square(call: Inputs) -> Mapping[str, tuple[int, ...]]:
    """All four are (D, D)."""
    return dict.fromkeys(MATRICES, (call["d_model"], call["d_model"]))

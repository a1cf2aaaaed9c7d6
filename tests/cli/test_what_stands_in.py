"""An exercise that uses others which are not there is judged with the references in their place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from commands import attnpack

if TYPE_CHECKING:
    from pathlib import Path

ONLY_ONE = """
import numpy as np
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model):
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, np.random.normal(size=(d_model, d_model)))

    def forward(self, x, causal=True):
        keep = np.tri(x.shape[-2], dtype=bool) if causal else None
        Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
        return scaled_dot_product_attention(Q, K, V, keep)[0] @ self.W_o
"""


def test_what_stands_in_for_an_exercise_brings_what_it_uses_along(tmp_path: Path) -> None:
    file = tmp_path / "attention.py"
    file.write_text(ONLY_ONE, encoding="utf-8")
    told = json.loads(attnpack("check", str(file), "SelfAttention", "--json").output)
    (exercise,) = told["exercises"]
    assert exercise["status"] == "passed", exercise
    assert {"scaled_dot_product_attention", "softmax"} <= set(exercise["stand_ins"])

"""Results whose form changes from call to call are the learner's fault, told with shapes."""

from __future__ import annotations

import pytest
from submitted import submit

from attnpack.terms import Status

MASK = """
import numpy as np
def causal_mask(T):
    m = np.triu(np.full((T, T), -1e9), k=1)
    return {returned}
"""
ATTENTION = """
import numpy as np
class SelfAttention:
    def __init__(self, d_model):
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, np.eye(d_model))
        self.calls = 0
    def forward(self, x, causal=True):
        self.calls += 1
        s = (x @ self.W_q) @ np.swapaxes(x @ self.W_k, -1, -2) / np.sqrt(x.shape[-1])
        if causal:
            s = np.where(np.tri(x.shape[-2], dtype=bool), s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        out = e / e.sum(-1, keepdims=True) @ (x @ self.W_v) @ self.W_o
        return out if self.calls == 1 else {returned}
"""


@pytest.mark.parametrize(
    ("returned", "shape"), [("m[:5, :5]", "(5, 5)"), ("m if T < 6 else m.reshape(-1)", "(64,)")]
)
def test_a_mask_that_is_right_for_short_lengths_only(returned: str, shape: str) -> None:
    came = submit(MASK.format(returned=returned), "causal_mask", "numpy")
    assert (came.stage, came.status) == ("mask", Status.FAILED)
    assert came.message == f"causal_mask(8) has shape {shape}; (8, 8) was expected"


@pytest.mark.parametrize("returned", ["out[..., None]", "out[:0]", "()", "out[..., :2, :]"])
def test_an_object_whose_second_answer_has_another_form(returned: str) -> None:
    came = submit(ATTENTION.format(returned=returned), "SelfAttention", "numpy")
    assert came.status is Status.FAILED
    assert "expected" in came.message
    assert came.suspects

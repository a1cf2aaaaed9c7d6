"""Attention weights of any class, read off its outputs.

With `W_v = pinv(x) @ target` each head's values are a block of the identity, and with
`W_o` the identity the output *is* the weights: d_k keys per pass. A last pass with drawn
values checks that `weights @ V` gives the output back; where it does not, the weights are
not recoverable and nothing is said about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .steps.right import join_heads, split_heads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .draft import Inputs
    from .draw import Draw
    from .probe import Answered
    from .steps.recorded import Array


def passes(draw: Draw, call: Inputs) -> list[Inputs]:
    """The calls that read the weights of one forward pass, the last one the check.

    `call` gives x (T, D) or (B, T, D) with B*T <= D, and the matrices W_q and W_k.
    """
    x, heads = call["x"], call["num_heads"]
    width, length = x.shape[-1], x.shape[-2]
    d_k = width // heads
    rows = x.reshape(-1, width)  # (B*T, D)
    inverse = np.linalg.pinv(rows)  # (D, B*T)
    base = {**call["matrices"], "W_o": np.eye(width)}
    base |= {name: np.zeros(width) for name in ("b_v", "b_o") if name in base}
    calls = []
    for first in range(0, length, d_k):
        target = _identity_values(length, heads, d_k, first)  # (T, D)
        tiled = np.tile(target, (len(rows) // length, 1))  # (B*T, D)
        calls.append({**call, "matrices": {**base, "W_v": inverse @ tiled}})
    check = {**base, "W_v": draw.normal(width, width) / np.sqrt(width)}
    return [*calls, {**call, "matrices": check}]


def _identity_values(length: int, heads: int, d_k: int, first: int) -> Array:
    block = np.zeros((length, d_k))  # (T, d_k)
    count = min(d_k, length - first)
    block[first + np.arange(count), np.arange(count)] = 1.0
    return np.tile(block, (1, heads))  # (T, D)


def recover(answered: Answered, first: int, count: int) -> Array | None:
    """The weights (..., h, T, T) from `count` passes starting at call `first`, or None."""
    calls = answered.probe.calls[first : first + count]
    outputs = _outputs(answered, first, count)
    if outputs is None:
        return None
    heads, length = calls[0]["num_heads"], calls[0]["x"].shape[-2]
    per_pass = [split_heads(output, heads) for output in outputs[:-1]]  # (..., h, T, d_k)
    weights = np.concatenate(per_pass, axis=-1)[..., :length]  # (..., h, T, T)
    values = calls[-1]["x"] @ calls[-1]["matrices"]["W_v"]  # (..., T, D)
    with np.errstate(invalid="ignore", over="ignore"):
        attended = weights @ split_heads(values, heads)  # (..., h, T, d_k)
        returned = join_heads(attended)  # (..., T, D)
        gap = np.abs(returned - outputs[-1])
    allowed = answered.probe.tolerance(first + count - 1, "output")
    unsure = ~np.isfinite(gap)
    if (unsure & np.isfinite(outputs[-1])).any() or (gap[~unsure] > allowed).any():
        return None
    return weights


def _outputs(answered: Answered, first: int, count: int) -> Sequence[Array] | None:
    outputs = []
    for index in range(first, first + count):
        arrays = answered.arrays(index)
        expected = answered.probe.expected_results[index][0]
        if not arrays or arrays[0] is None or arrays[0].shape != expected.shape:
            return None
        outputs.append(np.asarray(arrays[0], dtype=np.float64))
    return outputs

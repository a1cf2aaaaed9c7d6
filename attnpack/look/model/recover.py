"""Attention weights of code that returns none, read off its outputs.

With `W_o` the identity and `W_v` chosen so that `x @ W_v` shows a key's number, each head's output
*is* its weights: `W_v = pinv(x) @ target`, where column `c` of head `h` is 1 at key `c` alone. A
head has `d_k` columns, so longer sequences take several passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attnpack.look.model.attention import Array, Attention, Projections, attended, split_heads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attnpack.look.model.host_model import Weights

Block: TypeAlias = "Callable[[Array, Weights], Array]"
"""x (B, T, D) and a block's weights to y (B, T, D): a whole `transformer_block`"""

ZERO = 1e-5
"""a recovered weight below it is 0 and rounding, also in single precision"""
RECOVERABLE = 1e-3
"""the largest `residue` of weights that explain the output"""


@dataclass(frozen=True)
class Recovered:
    """One layer's weights for one sequence."""

    weights: Array
    """(h, T, T); rows are queries, columns keys"""
    output: Array
    """(T, D): what the code gave with the layer's own matrices"""
    residue: float
    """largest |weights @ V - output|, relative to the largest output; small where all is well"""


def recover(attention: Attention, x: Array, layer: Projections, num_heads: int) -> Recovered:
    """The weights that `attention` used for x (T, D) in this layer; nan where x is not finite."""
    if not np.isfinite(x).all():
        return _unknown(x, num_heads)
    output = attention(x[None], layer)[0]  # (T, D)
    shown = [
        split_heads(attention(x[None], probe)[0], num_heads)
        for probe in _probes(x, layer, num_heads)
    ]
    weights = np.concatenate(shown, axis=-1)[..., : len(x)]  # (h, T, T)
    given_back = attended(weights[None], x[None], layer)[0]  # (T, D)
    largest = float(np.abs(output).max(initial=np.finfo(float).tiny))
    residue = float(np.abs(given_back - output).max(initial=0.0)) / largest
    return Recovered(weights, output, residue)


def _unknown(x: Array, num_heads: int) -> Recovered:
    length = len(x)
    return Recovered(np.full((num_heads, length, length), np.nan), np.full_like(x, np.nan), np.nan)


def _probes(x: Array, layer: Projections, num_heads: int) -> Iterator[Projections]:
    """The layer with a `W_v` that shows `d_k` keys at a time, and `W_o` the identity."""
    length, width = x.shape
    per_head = width // num_heads
    inverse = np.linalg.pinv(x)  # (D, T)
    identity = np.eye(width)
    for first in range(0, length, per_head):
        target = np.zeros((length, num_heads, per_head))  # (T, h, d_k)
        for column in range(min(per_head, length - first)):
            target[first + column, :, column] = 1.0
        W_v = inverse @ target.reshape(length, width)  # (D, D)
        yield Projections(layer.W_q, layer.W_k, W_v, identity)

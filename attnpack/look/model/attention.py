"""The attention sublayer as the host model sees it, and the reference's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Projections:
    """The four matrices of one layer, each (D, D), used as `x @ W`. Known by identity."""

    W_q: Array
    W_k: Array
    W_v: Array
    W_o: Array


Attention: TypeAlias = Callable[[Array, Projections], Array]
"""x (B, T, D) and the matrices of a layer to y (B, T, D): causal multi-head attention."""


def split_heads(x: Array, num_heads: int) -> Array:
    """(B, T, D) to (B, h, T, d_k): head `i` owns columns `i*d_k:(i+1)*d_k`."""
    return x.reshape(*x.shape[:-1], num_heads, -1).swapaxes(-2, -3)


def join_heads(x: Array) -> Array:
    """(B, h, T, d_k) to (B, T, D)."""
    moved = x.swapaxes(-2, -3)  # (B, T, h, d_k)
    return moved.reshape(*moved.shape[:-2], -1)


def attention_weights(x: Array, layer: Projections, num_heads: int) -> Array:
    """The reference's weights (B, h, T, T) for an input (B, T, D)."""
    Q = split_heads(x @ layer.W_q, num_heads)  # (B, h, T, d_k)
    K = split_heads(x @ layer.W_k, num_heads)  # (B, h, T, d_k)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])  # (B, h, T, T)
    future = np.triu(np.ones(scores.shape[-2:], dtype=bool), k=1)  # (T, T)
    visible = np.where(future, -np.inf, scores)  # (B, h, T, T)
    shifted = np.exp(visible - visible.max(axis=-1, keepdims=True))  # (B, h, T, T)
    return shifted / shifted.sum(axis=-1, keepdims=True)  # type: ignore[no-any-return]


def attended(weights: Array, x: Array, layer: Projections) -> Array:
    """What attention with these weights gives back: (B, T, D)."""
    V = split_heads(x @ layer.W_v, weights.shape[-3])  # (B, h, T, d_k)
    return join_heads(weights @ V) @ layer.W_o  # (B, T, D)


def reference(num_heads: int) -> Attention:
    """Right multi-head attention."""

    def attention(x: Array, layer: Projections) -> Array:
        return attended(attention_weights(x, layer, num_heads), x, layer)

    return attention

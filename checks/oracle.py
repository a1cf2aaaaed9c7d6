"""The independent oracle: attention in float64, with every intermediate by its name.

Written apart from the reference solutions; the tests hold both against each other and
against torch. Every function broadcasts over leading axes, so that central differences
can perturb a whole stack of inputs at once.

Source: Vaswani et al. 2017, sections 3.2.1 and 3.2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

Array: TypeAlias = NDArray[Any]
Named: TypeAlias = dict[str, Array]


def transposed(matrix: Array) -> Array:
    """The last two axes swapped: (..., m, n) -> (..., n, m)."""
    return np.swapaxes(matrix, -1, -2)


def softmax(scores: Array) -> Array:
    """Softmax over the keys; a row of nothing but -inf is NaN."""
    scores = np.asarray(scores, dtype=np.float64)  # (..., T_q, T_k)
    with np.errstate(invalid="ignore", over="ignore"):
        shifted = scores - scores.max(axis=-1, keepdims=True)  # (..., T_q, T_k)
        exponentials = np.exp(shifted)  # (..., T_q, T_k)
        weights: Array = exponentials / exponentials.sum(axis=-1, keepdims=True)  # (..., T_q, T_k)
    return weights


def attention_scores(queries: Array, keys: Array, d_k: int) -> Array:
    """Q Kᵀ / sqrt(d_k): (..., T_q, d_k), (..., T_k, d_k) -> (..., T_q, T_k)."""
    queries = np.asarray(queries, dtype=np.float64)
    keys = np.asarray(keys, dtype=np.float64)
    scores: Array = queries @ transposed(keys) / np.sqrt(d_k)  # (..., T_q, T_k)
    return scores


def visible(mask: Array) -> Array:
    """Which keys a mask lets through: booleans say it, additive masks by being near zero."""
    return mask if mask.dtype == np.bool_ else mask > -0.5


def causal_visible(length: int) -> Array:
    """(T, T): key j is visible to query i where j <= i."""
    rows = np.arange(length)[:, None]  # (T, 1)
    columns = np.arange(length)[None, :]  # (1, T)
    return columns <= rows  # (T, T)


def causal_mask(length: int) -> Array:
    """(T, T) additive: 0 where visible, -1e9 where not."""
    return np.where(causal_visible(length), 0.0, -1e9)  # (T, T)


def attend(queries: Array, keys: Array, values: Array, mask: Array | None) -> Named:
    """Scaled dot-product attention with all intermediates."""
    queries, keys, values = (np.asarray(a, dtype=np.float64) for a in (queries, keys, values))
    d_k = queries.shape[-1]
    raw_scores = queries @ transposed(keys)  # (..., T_q, T_k)
    scores = raw_scores / np.sqrt(d_k)  # (..., T_q, T_k)
    masked = scores if mask is None else np.where(visible(mask), scores, -np.inf)
    weights = softmax(masked)  # (..., T_q, T_k)
    attended = weights @ values  # (..., T_q, d_v)
    return {
        "Q": queries,
        "K": keys,
        "V": values,
        "raw scores": raw_scores,
        "scores": scores,
        "masked scores": masked,
        "weights": weights,
        "attended": attended,
    }


def project(x: Array, matrix: Array, bias: Array | None) -> Array:
    """x W + b: (..., T, D), (D, D) -> (..., T, D)."""
    projected = x @ matrix  # (..., T, D)
    return projected if bias is None else projected + bias  # (..., T, D)


def _projections(x: Array, matrices: Mapping[str, Array]) -> tuple[Array, Array, Array]:
    queries, keys, values = (
        project(x, matrices[f"W_{letter}"], matrices.get(f"b_{letter}")) for letter in "qkv"
    )
    return queries, keys, values


def self_attention(x: Array, matrices: Mapping[str, Array], causal: bool) -> Named:
    """One head over the whole width: (..., T, D) -> (..., T, D)."""
    x = np.asarray(x, dtype=np.float64)  # (..., T, D)
    queries, keys, values = _projections(x, matrices)
    mask = causal_visible(x.shape[-2]) if causal else None
    named = attend(queries, keys, values, mask)
    output = project(named["attended"], matrices["W_o"], matrices.get("b_o"))  # (..., T, D)
    return {"x": x, **named, "joined": named["attended"], "output": output}


def split_heads(projected: Array, heads: int) -> Array:
    """Head i owns columns i*d_k to (i+1)*d_k: (..., T, D) -> (..., h, T, d_k)."""
    *lead, length, width = projected.shape
    columns = projected.reshape(*lead, length, heads, width // heads)  # (..., T, h, d_k)
    return np.swapaxes(columns, -2, -3)  # (..., h, T, d_k)


def join_heads(per_head: Array) -> Array:
    """Heads side by side, in order: (..., h, T, d_k) -> (..., T, D)."""
    moved = np.swapaxes(per_head, -3, -2)  # (..., T, h, d_k)
    *lead, heads, d_k = moved.shape
    return moved.reshape(*lead, heads * d_k)  # (..., T, D)


def multi_head(x: Array, matrices: Mapping[str, Array], heads: int, causal: bool) -> Named:
    """h heads of width d_k = D / h: (..., T, D) -> (..., T, D)."""
    x = np.asarray(x, dtype=np.float64)  # (..., T, D)
    whole = dict(zip("QKV", _projections(x, matrices), strict=True))
    split = {name: split_heads(whole[name], heads) for name in "QKV"}
    mask = causal_visible(x.shape[-2]) if causal else None
    named = attend(split["Q"], split["K"], split["V"], mask)
    joined = join_heads(named["attended"])  # (..., T, D)
    output = project(joined, matrices["W_o"], matrices.get("b_o"))  # (..., T, D)
    projected = {f"projected {name}": whole[name] for name in "QKV"}
    return {"x": x, **projected, **named, "joined": joined, "output": output}

"""Attentions with one classic fault each, in the host model's form."""

from __future__ import annotations

import numpy as np

from attnpack.look.model.attention import (
    Array,
    Attention,
    Projections,
    join_heads,
    reference,
    split_heads,
)

HEADS = 4


def softmax(scores: Array) -> Array:
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def scores_of(x: Array, layer: Projections) -> Array:
    Q, K = split_heads(x @ layer.W_q, HEADS), split_heads(x @ layer.W_k, HEADS)
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


def output_of(weights: Array, x: Array, layer: Projections) -> Array:
    return join_heads(weights @ split_heads(x @ layer.W_v, HEADS)) @ layer.W_o


def unmasked(x: Array, layer: Projections) -> Array:
    return output_of(softmax(scores_of(x, layer)), x, layer)


def masked_after_softmax(x: Array, layer: Projections) -> Array:
    return output_of(np.tril(softmax(scores_of(x, layer))), x, layer)


def unscaled(x: Array, layer: Projections) -> Array:
    scores = scores_of(x, layer) * np.sqrt(x.shape[-1] / HEADS)
    future = np.triu(np.ones(scores.shape[-2:], dtype=bool), k=1)
    return output_of(softmax(np.where(future, -1e9, scores)), x, layer)


def merged_by_reshape(x: Array, layer: Projections) -> Array:
    future = np.triu(np.ones((x.shape[1], x.shape[1]), dtype=bool), k=1)
    weights = softmax(np.where(future, -1e9, scores_of(x, layer)))
    return (weights @ split_heads(x @ layer.W_v, HEADS)).reshape(x.shape) @ layer.W_o


def not_finite(x: Array, layer: Projections) -> Array:
    return unmasked(x, layer) * np.nan


ATTENTIONS: dict[str, Attention] = {
    "right": reference(HEADS),
    "unmasked": unmasked,
    "masked after softmax": masked_after_softmax,
    "unscaled": unscaled,
    "merged by reshape": merged_by_reshape,
    "not finite": not_finite,
}

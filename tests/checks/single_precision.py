"""Attention in one floating-point type, with every sum taken in a chosen order."""

from __future__ import annotations

import math

import numpy as np


def forward(terms):
    """First to last."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def backward(terms):
    """Last to first."""
    return forward(terms[::-1])


def pairwise(terms):
    """As a tree."""
    half = len(terms) // 2
    return pairwise(terms[:half]) + pairwise(terms[half:]) if half else terms[0]


def chunked(terms):
    """Blocks of three, each summed from its end."""
    return forward([backward(terms[i : i + 3]) for i in range(0, len(terms), 3)])


def interleaved(terms):
    """The even ones, then the odd ones, as two vector lanes do."""
    return forward(terms[::2]) + forward(terms[1::2]) if len(terms) > 1 else terms[0]


ORDERS = {f.__name__: f for f in (forward, backward, pairwise, chunked, interleaved)}


class Attention:
    """Every exercise with sums in one order; `dtype` throughout."""

    def __init__(self, dtype, total):
        self.dtype = dtype
        self.total = total

    def number(self, array):
        with np.errstate(over="ignore"):
            return np.asarray(array).astype(self.dtype)

    def product(self, left, right):
        """(..., m, n) @ (..., n, p)."""
        left, right = self.number(left), self.number(right)
        terms = [left[..., :, c, None] * right[..., None, c, :] for c in range(left.shape[-1])]
        return self.total(terms)

    def softmax(self, scores):
        scores = self.number(scores)
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        total = self.total([exps[..., k] for k in range(exps.shape[-1])])
        return exps / total[..., None]

    def attention_scores(self, queries, keys, d_k):
        return self.product(queries, np.swapaxes(keys, -1, -2)) / np.sqrt(self.dtype(d_k))

    def apply_attention(self, weights, values):
        return self.product(weights, values)

    def attend(self, queries, keys, values, keep):
        scores = self.attention_scores(queries, keys, queries.shape[-1])
        if keep is not None:
            scores = np.where(keep, scores, self.dtype(-np.inf))
        weights = self.softmax(scores)
        return self.apply_attention(weights, values), weights

    def multi_head(self, x, matrices, heads, causal):
        whole = [self.projected(x, matrices, letter) for letter in "qkv"]
        split = [np.stack(np.split(one, heads, axis=-1), axis=-3) for one in whole]
        keep = np.tri(x.shape[-2], dtype=bool) if causal else None
        attended, _ = self.attend(*split, keep)
        joined = np.concatenate(np.moveaxis(attended, -3, 0), axis=-1)
        return self.projected(joined, matrices, "o")

    def projected(self, x, matrices, letter):
        product = self.product(x, matrices[f"W_{letter}"])
        bias = matrices.get(f"b_{letter}")
        return product if bias is None else product + self.number(bias)

    def mean(self, rows):
        """(..., D) -> (..., 1)."""
        total = self.total([rows[..., c, None] for c in range(rows.shape[-1])])
        return total / self.dtype(rows.shape[-1])

    def layer_norm(self, x, gain, bias, eps):
        x = self.number(x)
        centred = x - self.mean(x)
        deviation = np.sqrt(self.mean(centred * centred) + self.dtype(eps))
        return self.number(gain) * (centred / deviation) + self.number(bias)

    def feed_forward(self, x, W_1, b_1, W_2, b_2):
        h = self.rows_by(x, W_1) + self.number(b_1)
        below = np.vectorize(math.erf, otypes=[self.dtype])(h / np.sqrt(self.dtype(2)))
        activated = h * (self.dtype(1) + below) / self.dtype(2)
        return self.rows_by(activated, W_2) + self.number(b_2)

    def rows_by(self, x, matrix):
        """(..., D) @ (D, F), also of one row."""
        return self.product(np.asarray(x)[..., None, :], matrix)[..., 0, :]

    def results(self, exercise, call):
        """What the exercise returns for a probe's call."""
        with np.errstate(all="ignore"):
            return self._results(exercise, call)

    def _results(self, exercise, call):
        if exercise == "softmax":
            return (self.softmax(call["scores"]),)
        if exercise == "attention_scores":
            return (self.attention_scores(call["Q"], call["K"], call["d_k"]),)
        if exercise == "apply_attention":
            return (self.apply_attention(call["weights"], call["V"]),)
        if exercise == "scaled_dot_product_attention":
            mask = call.get("mask")
            keep = mask if mask is None or mask.dtype == bool else mask == 0
            return self.attend(call["Q"], call["K"], call["V"], keep)
        if exercise == "layer_norm":
            return (self.layer_norm(call["x"], call["gain"], call["bias"], call["eps"]),)
        if exercise == "feed_forward":
            return (self.feed_forward(*(call[n] for n in ("x", "W_1", "b_1", "W_2", "b_2"))),)
        heads = call["num_heads"] if exercise == "MultiHeadAttention" else 1
        return (self.multi_head(call["x"], call["matrices"], heads, call["causal"]),)

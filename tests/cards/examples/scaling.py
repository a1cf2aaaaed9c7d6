"""Numbers for the cards of the family scaling: one query, two keys, d_k = 4."""

from __future__ import annotations

import numpy as np

from . import Value, example, exp_shares

D_K = 4
RAW = np.array([[2, 0, 0, 0]]) @ np.array([[2, 0, 0, 0], [0, 1, 0, 0]]).T  # (1, 2): 4 and 0


def beside_right(scores: np.ndarray) -> dict[str, Value]:
    """The raw products, the right scores, these scores, and the weights of both."""
    right = RAW / np.sqrt(D_K)
    return {
        "Q Kᵀ": RAW,
        "right": right,
        "this bug": scores,
        "right weights": exp_shares(right),
        "this bug's": exp_shares(scores),
    }


@example
def scale_missing() -> dict[str, Value]:
    return beside_right(RAW)


@example
def scale_no_sqrt() -> dict[str, Value]:
    return beside_right(RAW / D_K)


@example
def scale_twice() -> dict[str, Value]:
    return beside_right(RAW / np.sqrt(D_K) / np.sqrt(D_K))


@example
def scale_multiplied() -> dict[str, Value]:
    return beside_right(RAW * np.sqrt(D_K))


@example
def scale_by_d_model() -> dict[str, Value]:
    heads = 4
    return beside_right(RAW / np.sqrt(heads * D_K))


@example
def scale_by_length() -> dict[str, Value]:
    return beside_right(RAW / np.sqrt(RAW.shape[-1]))


@example
def scale_constant() -> dict[str, Value]:
    return beside_right(RAW / 8)


@example
def scale_after_softmax() -> dict[str, Value]:
    bug = exp_shares(RAW) / np.sqrt(D_K)
    return {
        "Q Kᵀ": RAW,
        "right weights": exp_shares(RAW / np.sqrt(D_K)),
        "this bug's": bug,
        "its row sum": bug.sum(axis=-1),
    }


@example
def scores_clamped() -> dict[str, Value]:
    scores = np.array([[12, 3]])
    clipped = np.clip(scores, -5, 5)
    return {
        "scores": scores,
        "this bug": clipped,
        "right weights": exp_shares(scores),
        "this bug's": exp_shares(clipped),
    }


@example
def scale_by_num_heads() -> dict[str, Value]:
    d_model, num_heads = 8, 2
    return {
        "d_model": d_model,
        "num_heads": num_heads,
        "sqrt(d_k)": np.sqrt(d_model // num_heads),
        "this bug's divisor": np.sqrt(num_heads),
    }


@example
def scale_precedence() -> dict[str, Value]:
    d_k = 16
    return {
        "d_k": d_k,
        "sqrt(d_k)": np.sqrt(d_k),
        "d_k ** 1/2": d_k**1 / 2,
        "d_k ** (1/2)": d_k ** (1 / 2),
        "9 // 2": 9 // 2,
    }

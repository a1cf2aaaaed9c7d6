"""Numbers for the cards of the family softmax."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from . import Value, example, exp_shares

ROW = [[0, 2]]
SQUARE = [[0, 2], [0, 0]]
UNEVEN = [[0, 2], [1, 1]]


@example
def softmax_over_queries() -> dict[str, Value]:
    columns = exp_shares(SQUARE, axis=0)
    return {
        "scores": SQUARE,
        "right": exp_shares(SQUARE),
        "this bug": columns,
        "its row sums": columns.sum(axis=-1),
    }


@example
def softmax_over_batch() -> dict[str, Value]:
    stack = [UNEVEN]
    return {
        "one sample": stack,
        "right": exp_shares(stack),
        "this bug": exp_shares(stack, axis=0),
    }


@example
def softmax_axis_hard_coded() -> dict[str, Value]:
    return {
        "matrix": UNEVEN,
        "axis=1 gives": exp_shares(UNEVEN, axis=1),
        "stack of one": [UNEVEN],
        "axis=1 now gives": exp_shares([UNEVEN], axis=1),
    }


@example
def softmax_whole_matrix() -> dict[str, Value]:
    powers = np.exp(UNEVEN)
    bug = powers / powers.sum()
    return {
        "scores": UNEVEN,
        "right": exp_shares(UNEVEN),
        "this bug": bug,
        "its row sums": bug.sum(axis=-1),
    }


@example
def softmax_no_keepdims() -> dict[str, Value]:
    powers = np.exp(SQUARE)
    return {
        "exp(scores)": powers,
        "its row sums": powers.sum(axis=-1),
        "right": powers / powers.sum(axis=-1, keepdims=True),
        "this bug": powers / powers.sum(axis=-1),
    }


@example
def softmax_implicit_dim() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    matrix = torch.tensor(UNEVEN, dtype=torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        flat = torch.nn.functional.softmax(matrix)
        stacked = torch.nn.functional.softmax(matrix[None])
    return {
        "matrix": UNEVEN,
        "no dim gives": flat.numpy(),
        "stack of one": [UNEVEN],
        "no dim now gives": stacked.numpy(),
    }


@example
def softmax_overflow() -> dict[str, Value]:
    scores = [[0, 1000]]
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.exp(np.array(scores, dtype=float))
        bug = powers / powers.sum(axis=-1, keepdims=True)
    return {"scores": scores, "right": exp_shares(scores), "exp(scores)": powers, "this bug": bug}


@example
def softmax_global_max() -> dict[str, Value]:
    scores = [[0, 1], [1000, 1001]]
    powers = np.exp(np.array(scores) - np.max(scores))
    with np.errstate(invalid="ignore"):
        bug = powers / powers.sum(axis=-1, keepdims=True)
    return {"scores": scores, "right": exp_shares(scores), "this bug": bug}


@example
def softmax_max_from_zero() -> dict[str, Value]:
    scores = np.array([[-1000, -999]])
    largest = np.maximum(scores.max(axis=-1, keepdims=True), 0)
    powers = np.exp(scores - largest)
    with np.errstate(invalid="ignore"):
        bug = powers / powers.sum(axis=-1, keepdims=True)
    return {
        "scores": scores,
        "right": exp_shares(scores),
        "exp(scores - 0)": powers,
        "this bug": bug,
    }


@example
def softmax_integer_buffer() -> dict[str, Value]:
    scores = np.array(ROW)
    weights = np.zeros_like(scores)
    weights[:] = exp_shares(scores)
    return {"scores": scores, "right": exp_shares(scores), "this bug": weights}


@example
def softmax_plus_one() -> dict[str, Value]:
    powers = np.exp(np.array(ROW) - np.max(ROW))
    bug = powers / (1 + powers.sum(axis=-1, keepdims=True))
    return {
        "scores": ROW,
        "right": exp_shares(ROW),
        "this bug": bug,
        "its row sum": bug.sum(axis=-1),
    }


@example
def softmax_missing() -> dict[str, Value]:
    bug = np.array(ROW)
    return {
        "scores": ROW,
        "right": exp_shares(ROW),
        "this bug": bug,
        "its row sum": bug.sum(axis=-1),
    }


@example
def softmax_no_exp() -> dict[str, Value]:
    scores = np.array([[-1, 3]])
    return {"scores": scores, "right": exp_shares(scores), "this bug": scores / scores.sum()}


@example
def softmax_twice() -> dict[str, Value]:
    scores = np.array([[0, 4]])
    right = exp_shares(scores)
    return {"scores": scores, "right": right, "this bug": exp_shares(right)}


@example
def softmax_other_base() -> dict[str, Value]:
    scores = np.array([[0, 2]])

    def in_base(base: float) -> np.ndarray:
        powers = np.power(base, scores)
        shares: np.ndarray = powers / powers.sum()
        return shares

    return {
        "scores": scores,
        "right": exp_shares(scores),
        "base 2": in_base(2.0),
        "base 2.7": in_base(2.7),
    }


@example
def max_across_heads() -> dict[str, Value]:
    heads = np.array([[0.0, 2.0], [-900.0, -898.0]])
    powers = np.exp(heads - heads.max())
    with np.errstate(invalid="ignore"):
        shares = powers / powers.sum(axis=-1, keepdims=True)
    return {
        "head 1": heads[:1],
        "head 2": heads[1:],
        "head 2, right": exp_shares(heads[1:]),
        "head 2, this bug": shares[1:],
    }


@example
def softmax_sign() -> dict[str, Value]:
    scores = np.array([[0, 2]])
    return {"scores": scores, "right": exp_shares(scores), "this bug": exp_shares(-scores)}

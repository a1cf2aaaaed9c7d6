"""Numbers for the cards of the family products."""

from __future__ import annotations

import numpy as np
import pytest

from . import Value, error_of, example


@example
def weights_transposed() -> dict[str, Value]:
    weights, V = np.array([[1, 0], [0.5, 0.5]]), np.array([[10], [20]])
    return {"weights": weights, "V": V, "right": weights @ V, "this bug": weights.T @ V}


@example
def keys_reshaped() -> dict[str, Value]:
    Q, K = np.array([[1, 0]]), np.array([[1, 2], [3, 4], [5, 6]])
    return {
        "K": K,
        "transposed": K.T,
        "reshaped": K.reshape(2, 3),
        "Q": Q,
        "right": Q @ K.T,
        "this bug": Q @ K.reshape(2, 3),
    }


@example
def full_transpose() -> dict[str, Value]:
    Q, K = np.zeros((1, 2, 3)), np.zeros((1, 2, 3))
    return {
        "K, shape": K.shape,
        "right": np.swapaxes(K, -1, -2).shape,
        "K.T, this bug": K.T.shape,
        "Q @ K.T": error_of(lambda: Q @ K.T),
    }


@example
def queries_keys_swapped() -> dict[str, Value]:
    Q, K = np.array([[1, 0], [0, 2]]), np.array([[1, 1], [0, 1]])
    return {"Q": Q, "K": K, "Q Kᵀ, right": Q @ K.T, "K Qᵀ, this bug": K @ Q.T}


@example
def attention_across_heads() -> dict[str, Value]:
    Q = K = np.zeros((5, 2, 3))  # (T, h, d_k)
    heads_first = np.swapaxes(Q, 0, 1)  # (h, T, d_k)
    return {
        "Q, (T, h, d_k)": Q.shape,
        "right, (h, T, T)": (heads_first @ np.swapaxes(heads_first, -1, -2)).shape,
        "bug, (T, h, h)": (Q @ np.swapaxes(K, -1, -2)).shape,
    }


@example
def attention_across_batch() -> dict[str, Value]:
    V = np.array([[[10]], [[20]]])  # (B, T, d_v): two samples of one token
    alone = np.ones((2, 1, 1))
    shared = np.full((2, 2), 0.5)
    return {
        "V": V,
        "right weights": alone,
        "right": alone @ V,
        "bug's weights": shared,
        "this bug": (shared @ V.reshape(2, 1)).reshape(2, 1, 1),
    }


@example
def length_from_query() -> dict[str, Value]:
    Q, K = np.zeros((1, 4)), np.zeros((3, 4))
    return {
        "Q, shape": Q.shape,
        "K, shape": K.shape,
        "K.reshape(1, 4)": error_of(lambda: K.reshape(Q.shape)),
    }


@example
def value_width_assumed() -> dict[str, Value]:
    Q, weights, V = np.zeros((1, 2)), np.array([[0.5, 0.5]]), np.array([[1, 2, 3], [3, 4, 5]])
    output = np.zeros_like(Q)
    output[:] = (weights @ V)[:, : Q.shape[-1]]
    return {"weights": weights, "V": V, "right": weights @ V, "this bug": output}


@example
def squeeze_drops_axes() -> dict[str, Value]:
    scores = np.zeros((1, 1, 3))
    return {
        "scores, shape": scores.shape,
        "right": scores.shape,
        "squeezed": scores.squeeze().shape,
    }


@example
def view_on_transposed() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    heads = torch.zeros(2, 3, 4)  # (h, T, d_k)
    tokens = heads.transpose(0, 1)
    return {
        "transposed": tuple(tokens.shape),
        "wanted": tuple(tokens.reshape(3, 8).shape),
        "strides, now": tokens.stride(),
        ".view(3, 8)": error_of(lambda: tokens.view(3, 8)),
    }


@example
def returns_swapped() -> dict[str, Value]:
    weights, V = np.zeros((1, 2)), np.zeros((2, 3))
    output = weights @ V
    return {
        "right, shapes": (output.shape, weights.shape),
        "this bug's": (weights.shape, output.shape),
    }


@example
def returns_one_thing() -> dict[str, Value]:
    output, weights = np.array([[1, 2], [3, 4]]), np.eye(2)
    first, second = output
    return {
        "right, output": output,
        "right, weights": weights,
        "bug, output": first,
        "bug, weights": second,
    }


@example
def output_never_filled() -> dict[str, Value]:
    weights, V = np.array([[0.5, 0.5]]), np.array([[10], [20]])
    return {"weights": weights, "V": V, "right": weights @ V, "this bug": np.zeros((1, 1))}


@example
def keys_not_transposed() -> dict[str, Value]:
    queries, keys = np.ones((2, 3)), np.ones((4, 3))
    return {
        "Q.shape": queries.shape,
        "K.shape": keys.shape,
        "Q @ K.T": (queries @ keys.T).shape,
        "this bug": error_of(lambda: queries @ keys),
    }


@example
def scores_elementwise() -> dict[str, Value]:
    queries, keys = np.ones((3, 2)), np.ones((3, 2))
    return {
        "Q.shape": queries.shape,
        "K.shape": keys.shape,
        "right.shape": (queries @ keys.T).shape,
        "(Q * K).shape": (queries * keys).shape,
    }

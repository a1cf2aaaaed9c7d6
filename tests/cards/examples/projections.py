"""Numbers for the cards of the family projections and heads."""

from __future__ import annotations

import numpy as np

from . import Value, error_of, example

X = np.array([[1, 2]])  # one token, D = 2
SWAP = np.array([[0, 1], [1, 0]])
DOUBLE = np.array([[2, 0], [0, 2]])
SHEAR = np.array([[1, 1], [0, 1]])
TOKENS = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])  # (T, D): two heads of two columns
HEADS = TOKENS.reshape(2, 2, 2).swapaxes(0, 1)  # (h, T, d_k)


@example
def value_from_keys() -> dict[str, Value]:
    return {"x": X, "W_k": DOUBLE, "W_v": SWAP, "V, right": X @ SWAP, "V, this bug": X @ DOUBLE}


@example
def value_from_queries() -> dict[str, Value]:
    return {"x": X, "W_q": SHEAR, "W_v": SWAP, "V, right": X @ SWAP, "V, this bug": X @ SHEAR}


@example
def projection_missing() -> dict[str, Value]:
    return {"x": X, "W_q": DOUBLE, "Q, right": X @ DOUBLE, "Q, this bug": X}


@example
def projection_shared() -> dict[str, Value]:
    return {
        "x": X,
        "W_q": DOUBLE,
        "W_k": SWAP,
        "K, right": X @ SWAP,
        "K, this bug": X @ DOUBLE,
    }


@example
def projection_transposed() -> dict[str, Value]:
    return {"x": X, "W": SHEAR, "x @ W, right": X @ SHEAR, "this bug": X @ SHEAR.T}


@example
def projection_activation() -> dict[str, Value]:
    W = np.array([[1, -1], [0, 0]])
    return {"x": X, "W_q": W, "Q, right": X @ W, "Q, this bug": np.maximum(X @ W, 0)}


@example
def residual_inside() -> dict[str, Value]:
    attended = np.array([[3, 4]])
    return {"x": X, "right": attended, "this bug": attended + X}


@example
def heads_split_by_reshape() -> dict[str, Value]:
    return {
        "tokens": TOKENS,
        "head 0, right": HEADS[0],
        "head 0, this bug": TOKENS.reshape(2, 2, 2)[0],
    }


@example
def heads_merged_by_reshape() -> dict[str, Value]:
    return {
        "head 0": HEADS[0],
        "head 1": HEADS[1],
        "right": HEADS.swapaxes(0, 1).reshape(2, 4),
        "this bug": HEADS.reshape(2, 4),
    }


@example
def heads_split_and_merged_by_reshape() -> dict[str, Value]:
    def averaged(heads: np.ndarray) -> np.ndarray:
        return np.broadcast_to(heads.mean(axis=1, keepdims=True), heads.shape)

    return {
        "tokens": TOKENS,
        "right": averaged(HEADS).swapaxes(0, 1).reshape(2, 4),
        "this bug": averaged(TOKENS.reshape(2, 2, 2)).reshape(2, 4),
    }


@example
def heads_interleaved() -> dict[str, Value]:
    token = TOKENS[0]
    return {
        "token": token,
        "right": token.reshape(2, 2),
        "this bug": np.stack([token[0::2], token[1::2]]),
    }


@example
def heads_merged_wrong_order() -> dict[str, Value]:
    token = HEADS[:, 0]  # (h, d_k)
    return {"heads": token, "right": token.reshape(4), "this bug": token.T.reshape(4)}


@example
def heads_projection_shared() -> dict[str, Value]:
    token, W_q = TOKENS[0], np.eye(4, dtype=int)
    first_block = W_q[:, :2]
    return {
        "x": token,
        "heads, right": (token @ W_q).reshape(2, 2),
        "heads, this bug": np.stack([token @ first_block, token @ first_block]),
    }


@example
def heads_averaged() -> dict[str, Value]:
    token = HEADS[:, 0]
    return {"heads": token, "right": token.reshape(4), "this bug": token.mean(axis=0)}


@example
def heads_only_first() -> dict[str, Value]:
    token = HEADS[:, 0]
    return {"heads": token, "right": token.reshape(4), "this bug": np.tile(token[0], 2)}


@example
def heads_not_dividing() -> dict[str, Value]:
    d_model, num_heads = 10, 3
    d_k = d_model // num_heads
    return {
        "d_model": d_model,
        "num_heads": num_heads,
        "d_model // num_heads": d_k,
        "columns in a head": num_heads * d_k,
        "reshaping 10 to (3, 3)": error_of(lambda: np.zeros(d_model).reshape(num_heads, d_k)),
    }


@example
def output_projection_missing() -> dict[str, Value]:
    return {"joined": X, "W_o": SWAP, "right": X @ SWAP, "this bug": X}


@example
def output_projection_per_head() -> dict[str, Value]:
    W_o = np.ones((2, 2), dtype=int)
    heads = [X[:, i : i + 1] @ W_o[i : i + 1, i : i + 1] for i in range(2)]
    return {"joined": X, "W_o": W_o, "right": X @ W_o, "this bug": np.concatenate(heads, axis=1)}


@example
def output_projection_transposed() -> dict[str, Value]:
    return {"joined": X, "W_o": SHEAR, "right": X @ SHEAR, "this bug": X @ SHEAR.T}


@example
def heads_reversed() -> dict[str, Value]:
    heads = np.array([[1, 2], [3, 4]])
    return {"heads": heads, "right": heads.reshape(-1), "this bug": heads[::-1].reshape(-1)}


@example
def bias_ignored() -> dict[str, Value]:
    x, matrix, bias = np.array([1, 2]), np.eye(2, dtype=int), np.array([10, 20])
    return {
        "x": x,
        "W": matrix,
        "b": bias,
        "right": x @ matrix + bias,
        "this bug": x @ matrix,
    }

"""Numbers for the cards of the family norm."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import Value, example

Floats = NDArray[np.float64]
TABLE = np.array([[0.0, 2.0], [4.0, 10.0]])
ROW = np.array([0.0, 2.0])


def normed(x: Floats, axis: int | None = -1, eps: float = 0.0, ddof: int = 0) -> Floats:
    variance = x.var(axis=axis, keepdims=True, ddof=ddof)
    with np.errstate(invalid="ignore"):
        return np.asarray((x - x.mean(axis=axis, keepdims=True)) / np.sqrt(variance + eps))


@example
def norm_over_tokens() -> dict[str, Value]:
    return {"x": TABLE, "right": normed(TABLE), "this bug": normed(TABLE, axis=0)}


@example
def norm_over_everything() -> dict[str, Value]:
    return {"x": TABLE, "right": normed(TABLE), "this bug": normed(TABLE, axis=None)}


@example
def norm_unbiased_variance() -> dict[str, Value]:
    x = np.array([0.0, 2.0, 4.0])
    return {"x": x, "right": normed(x), "this bug": normed(x, ddof=1)}


@example
def norm_eps_outside() -> dict[str, Value]:
    x = np.array([0.0, 0.2])
    wrong = (x - x.mean()) / (x.std() + 0.01)
    return {"x, eps 0.01": x, "right": normed(x, eps=0.01), "this bug": wrong}


@example
def norm_eps_missing() -> dict[str, Value]:
    x = np.array([3.0, 3.0])
    return {"x": x, "right": normed(x, eps=1e-5), "this bug": normed(x)}


@example
def norm_eps_ignored() -> dict[str, Value]:
    return {"x, eps 1.0": ROW, "right": normed(ROW, eps=1.0), "eps stays 0.0": normed(ROW)}


@example
def norm_by_variance() -> dict[str, Value]:
    x = np.array([0.0, 8.0])
    return {"x": x, "right": normed(x), "this bug": (x - x.mean()) / x.var()}


@example
def norm_mean_kept() -> dict[str, Value]:
    x = np.array([2.0, 4.0])
    return {
        "x": x,
        "right": normed(x),
        "this bug": x / x.std(),
        "RMS norm": x / np.sqrt((x**2).mean()),
    }


@example
def norm_gain_missing() -> dict[str, Value]:
    gain = np.array([1.0, 3.0])
    return {"x, gain [1, 3]": ROW, "right": gain * normed(ROW), "this bug": normed(ROW)}


@example
def norm_bias_missing() -> dict[str, Value]:
    bias = np.array([0.0, 5.0])
    return {"x, bias [0, 5]": ROW, "right": normed(ROW) + bias, "this bug": normed(ROW)}


@example
def norm_gain_on_tokens() -> dict[str, Value]:
    x, gain = np.array([[0.0, 2.0], [0.0, 2.0]]), np.array([1.0, 3.0])
    right = gain * normed(x)
    return {"x, gain [1, 3]": x, "right": right, "this bug": gain[:, None] * normed(x)}


@example
def norm_cancellation() -> dict[str, Value]:
    x = np.array([10000.0, 10001.0, 10002.0])
    single = x.astype(np.float32)
    lost = np.mean(single**2) - np.mean(single) ** 2
    return {"x": x, "right, variance": x.var(), "this bug in float32": float(lost)}

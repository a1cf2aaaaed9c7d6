"""Numbers for the cards of the family ffn."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from . import Value, example

Floats = NDArray[np.float64]
ROW = np.array([0.0, 2.0])
HIDDEN = np.array([-1.0, 2.0])


def gelu(h: Floats) -> Floats:
    return np.array([0.5 * n * (1.0 + math.erf(n / math.sqrt(2.0))) for n in h.tolist()])


def tanh_gelu(h: Floats, cubed: float = 0.044715) -> Floats:
    return np.asarray(0.5 * h * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (h + cubed * h**3))))


@example
def ffn_no_activation() -> dict[str, Value]:
    return {"hidden": HIDDEN, "right": gelu(HIDDEN), "this bug": HIDDEN}


@example
def ffn_other_activation() -> dict[str, Value]:
    return {
        "hidden": HIDDEN,
        "right": gelu(HIDDEN),
        "ReLU": np.maximum(HIDDEN, 0.0),
        "SiLU": HIDDEN / (1.0 + np.exp(-HIDDEN)),
        "tanh": np.tanh(HIDDEN),
    }


@example
def ffn_gelu_constant() -> dict[str, Value]:
    return {
        "hidden": HIDDEN,
        "right": gelu(HIDDEN),
        "0.44715 for 0.044715": tanh_gelu(HIDDEN, 0.44715),
        "without the half": 2.0 * gelu(HIDDEN),
    }


@example
def ffn_activation_last() -> dict[str, Value]:
    return {"output": HIDDEN, "right": HIDDEN, "this bug": gelu(HIDDEN)}


@example
def ffn_bias_missing() -> dict[str, Value]:
    bias = np.array([1.0, -3.0])
    return {
        "x W_1, b_1 [1, -3]": ROW,
        "right, hidden": ROW + bias,
        "this bug, hidden": ROW,
    }

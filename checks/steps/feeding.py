"""The feed-forward step by step, both forms of GELU, and what bugs put in place of a step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from attnpack.diagnosis.models import State, Step

    from .right import Steps
else:
    np = LazyModule("numpy")

EXACT = "exact"
TANH = "tanh"
CUBED = 0.044715
"""of the cube in GELU's tanh form (Hendrycks and Gimpel 2016)"""


def erf(x: Any) -> Any:
    """The error function of every element."""
    numbers = np.asarray(x, dtype=np.float64)
    return np.fromiter(map(math.erf, numbers.ravel()), np.float64).reshape(numbers.shape)


def gelu_exact(x: Any) -> Any:
    """x Phi(x), with the normal distribution's own Phi."""
    return 0.5 * x * (1.0 + erf(x / math.sqrt(2.0)))


def gelu_tanh(x: Any) -> Any:
    """x Phi(x), with Phi by a tanh."""
    inner = math.sqrt(2.0 / math.pi) * (x + CUBED * x**3)
    return 0.5 * x * (1.0 + np.tanh(inner))


FORMS: dict[str, Callable[[Any], Any]] = {EXACT: gelu_exact, TANH: gelu_tanh}


def expand(state: State) -> None:
    """x W_1 (..., F)."""
    state["hidden"] = state["x"] @ state["W_1"]


def offset(state: State) -> None:
    """Plus b_1 (..., F)."""
    state["hidden"] = state["hidden"] + state["b_1"]


def activate(state: State) -> None:
    """GELU in the form that the learner's answers show (..., F)."""
    state["activated"] = FORMS[state.get("form", EXACT)](state["hidden"])


def contract(state: State) -> None:
    """activated W_2 (..., D)."""
    state["output"] = state["activated"] @ state["W_2"]


def offset_out(state: State) -> None:
    """Plus b_2 (..., D)."""
    state["output"] = state["output"] + state["b_2"]


def nothing_more(state: State) -> None:
    """A place where only bugs do something."""


FEED: Steps = (
    ("expand", expand),
    ("offset", offset),
    ("gelu", activate),
    ("contract", contract),
    ("offset out", offset_out),
    ("leave", nothing_more),
)


def activated_by(function: Callable[[Any], Any]) -> Step:
    """Another function in place of GELU."""

    def step(state: State) -> None:
        state["activated"] = function(state["hidden"])

    return step


def activated_last(form: str) -> Step:
    """GELU of what leaves."""

    def step(state: State) -> None:
        state["output"] = FORMS[form](state["output"])

    return step


def activated_before_bias(form: str) -> dict[str, Step]:
    """GELU of the second product, and then its bias."""

    def step(state: State) -> None:
        state["output"] = FORMS[form](state["activated"] @ state["W_2"])

    return {"gelu": unchanged, "contract": step}


def unchanged(state: State) -> None:
    """No activation."""
    state["activated"] = state["hidden"]


def no_offset(state: State) -> None:
    """Without b_1."""


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + np.exp(-x))


def relu(x: Any) -> Any:
    """max(x, 0)."""
    return np.maximum(x, 0.0)


def leaky_relu(x: Any) -> Any:
    """x, or a hundredth of it below 0."""
    return np.where(x > 0.0, x, 0.01 * x)


def silu(x: Any) -> Any:
    """x sigmoid(x)."""
    return x * sigmoid(x)


def quick_gelu(x: Any) -> Any:
    """x sigmoid(1.702 x)."""
    return x * sigmoid(1.702 * x)


def tanh(x: Any) -> Any:
    """Between -1 and 1."""
    return np.tanh(x)


def elu(x: Any) -> Any:
    """x, or exp(x) - 1 below 0."""
    return np.where(x > 0.0, x, np.expm1(np.minimum(x, 0.0)))


def softplus(x: Any) -> Any:
    """log(1 + exp(x))."""
    return np.logaddexp(0.0, x)


def tanh_form(
    root: float = math.sqrt(2.0 / math.pi),
    cubed: float = CUBED,
    power: int = 3,
    half: float = 0.5,
    one: float = 1.0,
) -> Callable[[Any], Any]:
    """GELU's tanh form with other numbers in it."""

    def function(x: Any) -> Any:
        return half * x * (one + np.tanh(root * (x + cubed * x**power)))

    return function


def erf_form(
    divisor: float = math.sqrt(2.0), half: float = 0.5, one: float = 1.0
) -> Callable[[Any], Any]:
    """GELU's exact form with other numbers in it."""

    def function(x: Any) -> Any:
        return half * x * (one + erf(x / divisor))

    return function

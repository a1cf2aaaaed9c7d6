"""Scores divided by something else than sqrt(d_k)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attnpack.diagnosis.models import State, Step
from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")

Number = Callable[[State], float]


def by(number: Number) -> Step:
    """Scores divided by a number read off the state."""

    def step(state: State) -> None:
        state["scores"] = state["scores"] / number(state)

    return step


def constant(value: float) -> Number:
    """One number for every d_k."""
    return lambda _: value


def d_k(power: float) -> Number:
    """d_k to a power."""
    return lambda state: float(state["Q"].shape[-1]) ** power


def fraction_of_d_k(factor: float) -> Number:
    """d_k times a factor; a negative one divides: -0.5 is 1 / (0.5 d_k)."""

    def number(state: State) -> float:
        width = float(state["Q"].shape[-1])
        return width * factor if factor > 0 else 1.0 / (width * -factor)

    return number


def whole_root(state: State) -> float:
    """sqrt(d_k) without what comes after the point."""
    return float(int(state["Q"].shape[-1] ** 0.5))


def rounded_root(decimals: int) -> Number:
    """sqrt(d_k) rounded."""
    return lambda state: float(round(state["Q"].shape[-1] ** 0.5, decimals))


def floored(state: State) -> None:
    """scores // sqrt(d_k)."""
    state["scores"] = state["scores"] // state["Q"].shape[-1] ** 0.5


def rounded(name: str, decimals: int) -> Step:
    """`scores`, `weights` or another array rounded where it stands."""

    def step(state: State) -> None:
        state[name] = np.round(state[name], decimals)

    return step


def cut_off(state: State) -> None:
    """Scaled scores without what comes after the point."""
    state["scores"] = np.trunc(state["scores"])


def d_model(power: float) -> Number:
    """The model's width to a power."""
    return lambda state: float(state["d_model"]) ** power


def length(name: str, axis: int, power: float) -> Number:
    """A size of Q or K to a power."""
    return lambda state: float(state[name].shape[axis]) ** power


def num_heads(power: float) -> Number:
    """The number of heads to a power."""
    return lambda state: float(state["num_heads"]) ** power


def weights_by(number: Number) -> Step:
    """Probabilities divided by a number."""

    def step(state: State) -> None:
        state["weights"] = state["weights"] / number(state)

    return step


def attended_by(number: Number) -> Step:
    """What was attended to divided by a number."""

    def step(state: State) -> None:
        state["attended"] = state["weights"] @ state["V"] / number(state)

    return step


def into_integers(state: State) -> None:
    """Scaled scores written into an array of the queries' integer type."""
    scaled = state["scores"] / state["Q"].shape[-1] ** 0.5
    state["scores"] = np.trunc(scaled) if state["Q"].dtype.kind in "iu" else scaled


def floor_divided(state: State) -> None:
    """Integer queries divided with //."""
    root = state["Q"].shape[-1] ** 0.5
    integer = state["Q"].dtype.kind in "iu"
    state["scores"] = state["scores"] // root if integer else state["scores"] / root


def raises_on_integers(state: State) -> None:
    """An in-place division of an integer array raises."""
    if state["Q"].dtype.kind in "iu":
        raise TypeError
    state["scores"] = state["scores"] / state["Q"].shape[-1] ** 0.5

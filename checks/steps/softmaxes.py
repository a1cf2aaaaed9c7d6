"""Softmax gone wrong: the maximum, the sum, the axis they run along."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attnpack.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")

Axis = int | tuple[int, ...] | None
AxisOf = Callable[[Any], Axis]


def along(axis: Axis) -> AxisOf:
    """One axis for every array."""
    return lambda _: axis


def implicit(array: Any) -> Axis:
    """The axis torch guesses where none is given: 0 for 0, 1 and 3 dimensions, else 1."""
    return 0 if array.ndim in (0, 1, 3) else 1


def shift_along(axis_of: AxisOf, *, keepdims: bool = True) -> Step:
    """Minus the maximum along an axis."""

    def step(state: State) -> None:
        masked = state["masked"]
        state["shifted"] = masked - masked.max(axis=axis_of(masked), keepdims=keepdims)

    return step


def normalise_along(axis_of: AxisOf, *, keepdims: bool = True) -> Step:
    """Exponentials over their sum along an axis."""

    def step(state: State) -> None:
        exponentials = np.exp(state["shifted"])
        total = exponentials.sum(axis=axis_of(exponentials), keepdims=keepdims)
        state["weights"] = exponentials / total

    return step


def softmax_along(axis: Axis | AxisOf) -> dict[str, Step]:
    """Both along the same axis."""
    axis_of = axis if callable(axis) else along(axis)
    return {"shift": shift_along(axis_of), "normalise": normalise_along(axis_of)}


def no_shift(state: State) -> None:
    """The scores as they are."""
    state["shifted"] = state["masked"]


def shift_from(floor: float) -> Step:
    """Minus the row's maximum, which is never below `floor`."""

    def step(state: State) -> None:
        masked = state["masked"]
        state["shifted"] = masked - np.maximum(masked.max(axis=-1, keepdims=True), floor)

    return step


def shift_clipped_at_zero(state: State) -> None:
    """Scores below zero become zero first."""
    masked = np.maximum(state["masked"], 0.0)
    state["shifted"] = masked - masked.max(axis=-1, keepdims=True)


def plus(constant: float) -> Step:
    """A constant more in the denominator."""

    def step(state: State) -> None:
        exponentials = np.exp(state["shifted"])
        total = exponentials.sum(axis=-1, keepdims=True)
        state["weights"] = exponentials / (total + constant)

    return step


def plus_one_unshifted(state: State) -> None:
    """One more in the denominator of the unshifted exponentials: exp(s) / (1 + sum exp(s))."""
    masked = state["masked"]
    top = np.maximum(masked.max(axis=-1, keepdims=True), 0.0)
    exponentials = np.exp(masked - top)
    total = exponentials.sum(axis=-1, keepdims=True)
    state["weights"] = exponentials / (total + np.exp(-top))


def _is_integer(state: State) -> bool:
    scores = state["scores"]
    return bool(scores.dtype.kind in "iu")


def into_integers(state: State) -> None:
    """Probabilities written into an array of the scores' integer type."""
    exponentials = np.exp(state["shifted"])
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    state["weights"] = np.trunc(weights) if _is_integer(state) else weights


def exponentials_into_integers(state: State) -> None:
    """Exponentials written into an array of the scores' integer type, then divided."""
    exponentials = np.exp(state["shifted"])
    kept = np.trunc(exponentials) if _is_integer(state) else exponentials
    state["weights"] = kept / kept.sum(axis=-1, keepdims=True)


def raw(state: State) -> None:
    """Scores as weights."""
    state["weights"] = state["masked"]


def exponentials_only(state: State) -> None:
    """exp, never divided."""
    state["weights"] = np.exp(state["shifted"])


def divided_only(state: State) -> None:
    """Scores over their row's sum: no exponential."""
    masked = state["masked"]
    state["weights"] = masked / masked.sum(axis=-1, keepdims=True)


def clipped(low: float, high: float, *, source: str) -> Step:
    """`scores` or `masked` forced into a range."""

    def step(state: State) -> None:
        state[source] = np.clip(state[source], low, high)

    return step

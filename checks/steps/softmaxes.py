"""Softmax gone wrong: the maximum, the sum, the axis they run along."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")

Axis = int | tuple[int, ...] | None
AxisOf = Callable[[Any], Axis]
Reduce = Callable[..., Any]
Place = Callable[[Any, Reduce], Any]
"""a row's maximum or sum, lined up with the array it is taken of"""


def along(axis: Axis) -> AxisOf:
    """One axis for every array."""
    return lambda _: axis


def implicit(array: Any) -> Axis:
    """The axis torch guesses where none is given: 0 for 0, 1 and 3 dimensions, else 1."""
    return 0 if array.ndim in (0, 1, 3) else 1


def all_but_first(array: Any) -> Axis:
    """Every axis behind the first: the rows of a loop over axis 0."""
    return tuple(range(1, array.ndim))


def all_but_last(array: Any) -> Axis:
    """Every axis before the keys: the columns of a table with all rows below each other."""
    return tuple(range(array.ndim - 1))


def on_the_keys(array: Any, reduce: Reduce) -> Any:
    """Row sums on the key axis: right rows, wrong columns."""
    return reduce(array, axis=-1)[..., None, :]


def as_one_column(axis: int) -> Place:
    """reshape(-1, 1)."""
    return lambda array, reduce: reduce(array, axis=axis).reshape(-1, 1)


def behind_axis_0(axis: int) -> Place:
    """[:, None]."""
    return lambda array, reduce: reduce(array, axis=axis)[:, None]


def by_full_transpose(axis: int) -> Place:
    """(a.T / reduced).T."""
    return lambda array, reduce: np.broadcast_to(reduce(array, axis=axis), array.T.shape).T


def shift_placed(place: Place) -> Step:
    """Minus the maximum, lined up in some way."""

    def step(state: State) -> None:
        masked = state["masked"]
        state["shifted"] = masked - place(masked, np.max)

    return step


def normalise_placed(place: Place) -> Step:
    """Exponentials over their sum, lined up in some way."""

    def step(state: State) -> None:
        exponentials = np.exp(state["shifted"])
        state["weights"] = exponentials / place(exponentials, np.sum)

    return step


def softmax_placed(place: Place) -> dict[str, Step]:
    """Both lined up in the same way."""
    return {"shift": shift_placed(place), "normalise": normalise_placed(place)}


def normalise_without_nan(state: State) -> None:
    """nan_to_num over what came of it."""
    exponentials = np.exp(state["shifted"])
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    state["weights"] = np.nan_to_num(weights)


def through_logarithm(state: State) -> None:
    """exp(a - log(sum(exp(a)))): what overflows becomes 0, what vanishes infinite."""
    shifted = state["shifted"]
    total = np.exp(shifted).sum(axis=-1, keepdims=True)
    state["weights"] = np.exp(shifted - np.log(total))


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


def shift_by_minimum(state: State) -> None:
    """Minus the row's minimum."""
    masked = state["masked"]
    state["shifted"] = masked - masked.min(axis=-1, keepdims=True)


def shift_by_mean(state: State) -> None:
    """Minus the row's mean."""
    masked = state["masked"]
    state["shifted"] = masked - masked.mean(axis=-1, keepdims=True)


def shift_by_largest_size(state: State) -> None:
    """Minus the largest absolute value of the row."""
    masked = state["masked"]
    state["shifted"] = masked - np.abs(masked).max(axis=-1, keepdims=True)


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


def normalise_rounded(decimals: int) -> Step:
    """Weights rounded to so many decimals."""

    def step(state: State) -> None:
        exponentials = np.exp(state["shifted"])
        weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
        state["weights"] = np.round(weights, decimals)

    return step


def normalise_in_base(base: float) -> Step:
    """Powers of another number than e over their row's sum."""

    def step(state: State) -> None:
        powers = np.power(base, state["shifted"])
        state["weights"] = powers / powers.sum(axis=-1, keepdims=True)

    return step


def normalise_in_whole_base(base: float) -> Step:
    """The same with an integer, which raises for integer exponents below 0."""
    if not base.is_integer():
        return normalise_in_base(base)
    return normalise_in_base(int(base))


def _softmax(scores: Any) -> Any:
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def twice(state: State) -> None:
    """A softmax of the weights: masked keys are back."""
    exponentials = np.exp(state["shifted"])
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    state["weights"] = _softmax(weights)


def twice_with_mask(state: State) -> None:
    """A softmax of the weights over the visible keys."""
    exponentials = np.exp(state["shifted"])
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    keep = state.get("keep")
    state["weights"] = _softmax(weights if keep is None else np.where(keep, weights, -np.inf))


def scores_first(state: State) -> None:
    """A softmax in the place of the scores, before the mask and another softmax."""
    state["scores"] = _softmax(state["scores"])


def weights_again(state: State) -> None:
    """A softmax of the weights, just before V."""
    state["weights"] = _softmax(state["weights"])


def maximum_minus(state: State) -> None:
    """The row's maximum minus the scores."""
    masked = state["masked"]
    state["shifted"] = masked.max(axis=-1, keepdims=True) - masked


def negated(state: State) -> None:
    """Minus the scores, shifted by their own maximum."""
    masked = -state["masked"]
    state["shifted"] = masked - masked.max(axis=-1, keepdims=True)


def negated_unshifted(state: State) -> None:
    """exp(-s)."""
    state["shifted"] = -state["masked"]


def scores_negated(state: State) -> None:
    """Minus the scores, before the mask."""
    state["scores"] = -state["scores"]


def shifted_only(state: State) -> None:
    """Shifted scores over their row's sum: no exponential."""
    shifted = state["shifted"]
    state["weights"] = shifted / shifted.sum(axis=-1, keepdims=True)


def sizes_only(state: State) -> None:
    """Absolute scores over their row's sum: no exponential."""
    sizes = np.abs(state["masked"])
    state["weights"] = sizes / sizes.sum(axis=-1, keepdims=True)


def positive_only(state: State) -> None:
    """Scores above zero over their row's sum: no exponential."""
    positive = np.maximum(state["masked"], 0.0)
    state["weights"] = positive / positive.sum(axis=-1, keepdims=True)


def soft_capped(bound: float) -> Step:
    """bound * tanh(scores / bound)."""

    def step(state: State) -> None:
        state["scores"] = bound * np.tanh(state["scores"] / bound)

    return step


def clipped(low: float, high: float, *, source: str) -> Step:
    """`scores` or `masked` forced into a range."""

    def step(state: State) -> None:
        state[source] = np.clip(state[source], low, high)

    return step

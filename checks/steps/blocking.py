"""How masked keys are kept out, and how that goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

from .right import block
from .seeing import When, always

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")


def _given(state: State) -> bool:
    return state.get("mask") is not None


def filled(value: float, when: When = always) -> Step:
    """Masked scores replaced by a number."""

    def step(state: State) -> None:
        if state["keep"] is None or (_given(state) and not when(state)):
            block(state)
            return
        state["masked"] = np.where(state["keep"], state["scores"], value)

    return step


def added(value: float, when: When = always) -> Step:
    """A number added to masked scores."""

    def step(state: State) -> None:
        if state["keep"] is None or (_given(state) and not when(state)):
            block(state)
            return
        state["masked"] = state["scores"] + np.where(state["keep"], 0.0, value)

    return step


def as_given(boolean: Step) -> Step:
    """Additive masks are added with their own fill; the other step blocks everything else."""

    def step(state: State) -> None:
        mask = state.get("mask")
        if mask is None or state["keep"] is None or mask.dtype == np.bool_:
            boolean(state)
            return
        state["masked"] = state["scores"] + np.where(state["keep"], 0.0, mask.min())

    return step


def given_subtracted(boolean: Step) -> Step:
    """Additive masks are subtracted; everything else is blocked by the other step."""

    def step(state: State) -> None:
        mask = state.get("mask")
        if mask is None or state["keep"] is None or mask.dtype == np.bool_:
            boolean(state)
            return
        state["masked"] = state["scores"] - np.where(state["keep"], 0.0, mask.min())

    return step


def filled_with_lowest(when: When = always) -> Step:
    """Masked scores replaced by the lowest of all scores."""
    return lambda state: _change(
        state, lambda scores, keep: np.where(keep, scores, scores.min()), when
    )


def _change(state: State, change: Any, when: When) -> None:
    if state["keep"] is None or (_given(state) and not when(state)):
        block(state)
        return
    state["masked"] = change(state["scores"], state["keep"])


def multiplied(when: When = always) -> Step:
    """Scores times a 0/1 mask."""
    return lambda state: _change(state, lambda scores, keep: scores * keep, when)


def multiplied_by(value: float, when: When = always) -> Step:
    """Scores times a factor that is 1 where visible and `value` where not."""
    return lambda state: _change(
        state, lambda scores, keep: scores * np.where(keep, 1.0, value), when
    )


def multiplied_by_given(state: State) -> None:
    """Scores times the additive mask itself."""
    mask = state.get("mask")
    if mask is None or mask.dtype == np.bool_:
        block(state)
        return
    state["masked"] = state["scores"] * mask


def keep_added(when: When = always) -> Step:
    """A 0/1 keep-mask added to the scores."""
    return lambda state: _change(state, lambda scores, keep: scores + keep, when)


def blocked_added(when: When = always) -> Step:
    """A 0/1 mask of what is blocked added to the scores."""
    return lambda state: _change(state, lambda scores, keep: scores + ~keep, when)


def zero_times_infinity(when: When = always) -> Step:
    """An additive mask made by multiplying with -inf: 0 * inf is NaN."""
    return lambda state: _change(state, lambda scores, keep: scores + (1.0 - keep) * -np.inf, when)


def keep_times_infinity(when: When = always) -> Step:
    """The same with the keep-mask."""
    return lambda state: _change(state, lambda scores, keep: scores + keep * -np.inf, when)


def unmasked(when: When = always) -> Step:
    """Scores go on as they are; what is blocked is left to a later step."""

    def step(state: State) -> None:
        if state["keep"] is None or (_given(state) and not when(state)):
            block(state)
            return
        state["masked"] = state["scores"]

    return step


def _after(state: State, change: Any, when: When) -> None:
    if state["keep"] is None or (_given(state) and not when(state)):
        return
    state["weights"] = change(state["weights"], state["keep"])


def zeroed_after(when: When = always) -> Step:
    """Probabilities of masked keys set to 0."""
    return lambda state: _after(state, lambda w, keep: np.where(keep, w, 0.0), when)


def filled_after(value: float, when: When = always) -> Step:
    """Probabilities of masked keys set to a fill meant for scores."""
    return lambda state: _after(state, lambda w, keep: np.where(keep, w, value), when)


def added_after(value: float, when: When = always) -> Step:
    """A fill meant for scores added to probabilities."""
    return lambda state: _after(state, lambda w, keep: w + np.where(keep, 0.0, value), when)


def renormalised_after(when: When = always) -> Step:
    """Zeroed and divided by what is left."""

    def renormalise(weights: Any, keep: Any) -> Any:
        left = np.where(keep, weights, 0.0)
        return left / left.sum(axis=-1, keepdims=True)

    return lambda state: _after(state, renormalise, when)


def _numbers(mask: Any) -> Any:
    """A mask as it enters arithmetic: True is 1."""
    return mask.astype(np.float64) if mask.dtype == np.bool_ else mask


def given_times_weights(state: State) -> None:
    """weights * mask, whatever the mask holds."""
    mask = state.get("mask")
    if mask is not None:
        state["weights"] = state["weights"] * _numbers(mask)


def given_plus_weights(state: State) -> None:
    """weights + mask, whatever the mask holds."""
    mask = state.get("mask")
    if mask is not None:
        state["weights"] = state["weights"] + _numbers(mask)


def true_cells_kept_after(value: float) -> Step:
    """Weights where the mask is true as Python sees it: in an additive one, where it is not 0."""

    def step(state: State) -> None:
        mask = state.get("mask")
        if mask is not None:
            state["weights"] = np.where(mask, state["weights"], value)

    return step


def renormalised_true_cells(state: State) -> None:
    """The same, divided by what is left."""
    mask = state.get("mask")
    if mask is not None:
        left = state["weights"] * _numbers(mask)
        state["weights"] = left / left.sum(axis=-1, keepdims=True)


def given_times_scores(state: State) -> None:
    """scores * mask, whatever the mask holds."""
    mask = state.get("mask")
    scores = state["scores"]
    state["masked"] = scores if mask is None else scores * _numbers(mask)


def additive_times_weights(fill: float) -> Step:
    """weights * mask in a class, with its own additive mask: 0 where visible, a fill elsewhere."""
    return lambda state: _after(state, lambda w, keep: w * np.where(keep, 0.0, fill), always)


def any_fill_added_after(value: float) -> Step:
    """Additive masks added to probabilities as they are, a fill for boolean ones."""

    def step(state: State) -> None:
        mask = state.get("mask")
        if mask is None or mask.dtype == np.bool_:
            added_after(value)(state)
        else:
            given_added_after(state)

    return step


def given_added_after(state: State) -> None:
    """The additive mask added to probabilities."""
    mask = state.get("mask")
    if mask is not None and mask.dtype != np.bool_:
        state["weights"] = state["weights"] + mask


def empty_rows_zeroed(state: State) -> None:
    """Rows that see nothing get no weights at all."""
    weights = state["weights"]
    state["weights"] = np.where(np.isnan(weights), 0.0, weights)


# --- causal_mask alone ----------------------------------------------------------------


def closed_with(visible: float, hidden: float) -> Step:
    """The additive mask with other numbers."""

    def step(state: State) -> None:
        state["closed"] = np.where(state["keep"], visible, hidden)

    return step


def closed_nan(state: State) -> None:
    """(1 - keep) * -inf."""
    state["closed"] = (1.0 - state["keep"]) * -np.inf


def closed_nan_kept(state: State) -> None:
    """keep * -inf."""
    state["closed"] = state["keep"] * -np.inf

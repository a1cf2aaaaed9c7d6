"""Which keys a query may see, read wrongly from a mask, a flag or a length.

`state["keep"]` is booleans that broadcast to the scores, or None for all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attnpack.diagnosis.models import State, Step
from attnpack.pack.lazy import LazyModule

from .right import see_mask

if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")

Change = Callable[[Any, State], Any]
When = Callable[[State], bool]


# --- masks that are given -------------------------------------------------------------


def _mask(holds: Callable[[Any], Any]) -> When:
    """A condition on the mask that was given."""
    return lambda state: bool(holds(state["mask"]))


def _changed(change: Callable[[Any], Any]) -> Change:
    """A change that needs the visible keys alone."""
    return lambda keep, _state: change(keep)


is_boolean = _mask(lambda mask: mask.dtype == np.bool_)  # A boolean mask was given
is_stacked = _mask(lambda mask: mask.ndim > 2)  # The mask has leading axes
is_flat = _mask(lambda mask: mask.ndim == 2)  # (T_q, T_k)
has_four_axes = _mask(lambda mask: mask.ndim == 4)  # (B, 1, ..., T_k) over heads
has_three_axes = _mask(lambda mask: mask.ndim == 3)  # (B, ..., T_k), no heads
is_one_row = _mask(lambda mask: mask.shape[-2] == 1)
"""One row for every query, with leading axes or without."""
is_not_padding = _mask(lambda mask: mask.shape[-2] != 1)
"""The mask has a query axis that is not 1."""

ignored = _changed(lambda _: None)  # Nothing is masked
inverted = _changed(lambda keep: ~keep)  # The other way round
nothing_visible = _changed(lambda keep: keep & False)
"""`~` of an integer mask is true everywhere."""
everything_visible = _changed(lambda keep: keep | True)  # The same, read the other way
or_causal_of_mask = _changed(lambda keep: keep | np.tri(*keep.shape[-2:], dtype=np.bool_))
"""Or-ed with the causal triangle of the mask's own last two axes."""
transposed = _changed(lambda keep: np.swapaxes(keep, -1, -2))
"""Queries and keys of the mask swapped."""
without_query_axis = _changed(lambda keep: keep[..., 0, :])
"""(B, 1, T_k) -> (B, T_k), (B, 1, 1, T_k) -> (B, 1, T_k)."""
squeezed = _changed(lambda keep: keep.squeeze())  # Every axis of length 1 gone
samples_as_queries = _changed(lambda keep: keep.reshape(keep.shape[0], keep.shape[-1]))
"""(B, ..., T_k) -> (B, T_k)."""
batch_on_heads_swapped = _changed(lambda keep: np.swapaxes(keep, 0, 1) if keep.ndim == 4 else keep)
"""(B, 1, ...) -> (1, B, ...)."""
first_sample = _changed(lambda keep: keep[:1])  # Sample 0 for all
last_sample = _changed(lambda keep: keep[-1:])  # The last sample for all
any_sample = _changed(lambda keep: keep.any(axis=0, keepdims=True))
"""Visible if visible in any sample."""


def is_additive(state: State) -> bool:
    """An additive mask was given."""
    return not is_boolean(state)


def is_padding(state: State) -> bool:
    """(B, 1, T_k) or (B, 1, 1, T_k): the same for every query."""
    mask = state["mask"]
    return bool(mask.ndim > 2 and mask.shape[-2] == 1)


def is_square(state: State) -> bool:
    """As many queries as keys."""
    mask = state["mask"]
    return bool(mask.shape[-1] == mask.shape[-2])


def is_stacked_square(state: State) -> bool:
    """Both."""
    return is_stacked(state) and is_square(state)


def always(state: State) -> bool:  # noqa: ARG001  one signature for all conditions
    """Whatever was given."""
    return True


def both(*conditions: When) -> When:
    """All of them."""
    return lambda state: all(condition(state) for condition in conditions)


def given(change: Change, when: When = always) -> Step:
    """The mask's visible keys changed, where one is given and the condition holds."""

    def step(state: State) -> None:
        see_mask(state)
        if state["mask"] is not None and when(state):
            state["keep"] = change(state["keep"], state)

    return step


def or_causal(keep: Any, state: State) -> Any:
    """Or-ed with the causal triangle."""
    scores = state["scores"]
    return keep | np.tri(scores.shape[-2], scores.shape[-1], dtype=np.bool_)


def square_of_queries(keep: Any, state: State) -> Any:
    """Reshaped with T_q for both axes."""
    length = state["Q"].shape[-2]
    return keep.reshape(*keep.shape[:-2], length, length)


def square_of_keys(keep: Any, state: State) -> Any:
    """Reshaped with T_k for both axes."""
    length = state["K"].shape[-2]
    return keep.reshape(*keep.shape[:-2], length, length)


def broadcast_square_of_queries(keep: Any, state: State) -> Any:
    """Broadcast to T_q x T_q."""
    length = state["Q"].shape[-2]
    return np.broadcast_to(keep, (*keep.shape[:-2], length, length))


def tiled_over_heads(keep: Any, state: State) -> Any:
    """Over folded heads, entry n = b*h + head gets the mask of sample n % B."""
    scores = state["scores"]
    if scores.ndim != 4:
        return keep
    batch, heads = scores.shape[:2]
    whole = np.broadcast_to(keep[:, 0], (batch, *scores.shape[2:]))  # (B, T_q, T_k)
    return np.tile(whole, (heads, 1, 1)).reshape(scores.shape)  # (B, h, T_q, T_k)


def repeated_over_heads_first(keep: Any, state: State) -> Any:
    """Over heads folded in front, entry n = head*B + b gets the mask of sample n // h."""
    scores = state["scores"]
    if scores.ndim != 4:
        return keep
    batch, heads = scores.shape[:2]
    whole = np.broadcast_to(keep[:, 0], (batch, *scores.shape[2:]))  # (B, T_q, T_k)
    folded = np.repeat(whole, heads, axis=0)  # (h*B, T_q, T_k)
    return folded.reshape(heads, batch, *scores.shape[2:]).swapaxes(0, 1)  # (B, h, T_q, T_k)


def batch_on_heads(keep: Any, state: State) -> Any:
    """(B, 1, T_q, T_k) -> (B, T_q, T_k) over (B, h, T_q, T_k)."""
    return keep[:, 0] if state["scores"].ndim == 4 and keep.ndim == 4 else keep


def lengths_changed(by: int) -> Change:
    """Padding rebuilt from the number of visible keys, one too many or too few."""

    def change(keep: Any, state: State) -> Any:  # noqa: ARG001
        lengths = keep.sum(axis=-1, keepdims=True)
        return np.arange(keep.shape[-1]) < lengths + by

    return change


def shifted_keys(by: int, fill: bool) -> Change:
    """The mask moved along the keys."""

    def change(keep: Any, state: State) -> Any:  # noqa: ARG001
        moved = np.full_like(keep, fill)
        if by > 0:
            moved[..., by:] = keep[..., :-by]
        else:
            moved[..., :by] = keep[..., -by:]
        return moved

    return change


# --- causal masks ---------------------------------------------------------------------


def causal(keep_of: Callable[[int], Any]) -> Step:
    """Another triangle than the right one, in a class or in `causal_mask`."""

    def step(state: State) -> None:
        if "seq_len" in state:
            state["keep"] = keep_of(state["seq_len"])
        else:
            state["keep"] = keep_of(state["x"].shape[-2]) if state["causal"] else None

    return step


def triangle(offset: int) -> Callable[[int], Any]:
    """j <= i + offset."""
    return lambda length: np.tri(length, k=offset, dtype=np.bool_)


def upper(offset: int) -> Callable[[int], Any]:
    """j >= i + offset."""
    return lambda length: ~np.tri(length, k=offset - 1, dtype=np.bool_)


def row_for_all(row: int) -> Callable[[int], Any]:
    """One row of the triangle for every query."""

    def keep_of(length: int) -> Any:
        triangle = np.tri(length, dtype=np.bool_)
        return np.broadcast_to(triangle[row], (length, length))

    return keep_of


def strict_but_first(length: int) -> Any:
    """j < i, and the first token sees itself."""
    keep = np.tri(length, k=-1, dtype=np.bool_)
    keep[0, 0] = True
    return keep


def anti_diagonal(length: int) -> Any:
    """The triangle flipped left to right."""
    return np.tri(length, dtype=np.bool_)[:, ::-1]


def open_below(horizon: int) -> Callable[[int], Any]:
    """Rows from `horizon` on see everything."""

    def keep_of(length: int) -> Any:
        keep = np.tri(length, dtype=np.bool_)
        keep[horizon:] = True
        return keep

    return keep_of


def open_outside(horizon: int) -> Callable[[int], Any]:
    """Only the first `horizon` rows and columns are masked."""

    def keep_of(length: int) -> Any:
        keep = np.ones((length, length), dtype=np.bool_)
        keep[:horizon, :horizon] = np.tri(min(horizon, length), dtype=np.bool_)
        return keep

    return keep_of


def open_columns(horizon: int) -> Callable[[int], Any]:
    """Columns from `horizon` on are never masked."""

    def keep_of(length: int) -> Any:
        keep = np.tri(length, dtype=np.bool_)
        keep[:, horizon:] = True
        return keep

    return keep_of


def open_when_longer(horizon: int) -> Callable[[int], Any]:
    """No mask at all for longer sequences."""

    def keep_of(length: int) -> Any:
        return np.tri(length, dtype=np.bool_) if length <= horizon else np.ones((1, 1), np.bool_)

    return keep_of


def raises_when_longer(horizon: int) -> Callable[[int], Any]:
    """A buffer of a fixed size: longer sequences do not fit."""

    def keep_of(length: int) -> Any:
        if length > horizon:
            raise ValueError
        return np.tri(length, dtype=np.bool_)

    return keep_of


def window(width: int) -> Callable[[int], Any]:
    """Causal, but only the last `width` tokens."""

    def keep_of(length: int) -> Any:
        triangle = np.tri(length, dtype=np.bool_)
        return triangle & ~np.tri(length, k=-width, dtype=np.bool_)

    return keep_of


def never(state: State) -> None:
    """Nothing is masked."""
    state["keep"] = np.ones((state["seq_len"],) * 2, np.bool_) if "seq_len" in state else None


def even_if_open(state: State) -> None:
    """Masked whatever the flag says."""
    state["keep"] = np.tri(state["x"].shape[-2], dtype=np.bool_)


def open_by_default(state: State) -> None:
    """Masked where the flag is given and says so: its default is the wrong one."""
    length = state["x"].shape[-2]
    asked_for = state["causal"] and "causal" not in state.get("left out", ())
    state["keep"] = np.tri(length, dtype=np.bool_) if asked_for else None


def flag_reversed(state: State) -> None:
    """Masked where the flag says not to."""
    length = state["x"].shape[-2]
    state["keep"] = None if state["causal"] else np.tri(length, dtype=np.bool_)


def frozen(*, cut: bool) -> Step:
    """The mask of the first length seen, for every later length."""

    def step(state: State) -> None:
        if not state["causal"]:
            state["keep"] = None
            return
        length = state["x"].shape[-2]
        kept = state.setdefault("kept", {})
        keep = kept.setdefault("mask", np.tri(length, dtype=np.bool_))
        state["keep"] = keep[:length, :length] if cut else keep

    return step


def frozen_open_beyond(state: State) -> None:
    """The triangle of the first length; whatever lies beyond it is open."""
    if not state["causal"]:
        state["keep"] = None
        return
    length = state["x"].shape[-2]
    first = state.setdefault("kept", {}).setdefault("length", length)
    state["keep"] = open_outside(first)(length)


def of_scores(state: State) -> None:
    """The triangle of the scores' own last two axes, whatever they are."""
    keep = np.tri(*state["scores"].shape[-2:], dtype=np.bool_)
    state["keep"] = keep if state["causal"] else None


def middle_row(length: int) -> Any:
    """The middle row of the triangle for every query."""
    return row_for_all(length // 2)(length)


def frozen_by_object(state: State) -> None:
    """The first length's mask, whatever the flag says later; too long or short ones raise."""
    length = state["x"].shape[-2]
    kept = state.setdefault("kept", {})
    keep = kept.setdefault("mask", np.tri(length, dtype=np.bool_))
    if keep.shape[0] < length:
        raise ValueError
    state["keep"] = keep[:length, :length] if state["causal"] else None


def blocks_everything(length: int) -> Any:
    """No key is visible."""
    return np.zeros((length, length), dtype=np.bool_)

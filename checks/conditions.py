"""What a learner's branch may ask of the inputs: conditions that restrict a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.diagnosis.conditional import Condition

if TYPE_CHECKING:
    from attnpack.diagnosis.models import State


def _main(state: State) -> Any:
    """The array whose axes a branch would look at; None in `causal_mask`."""
    return next((state[name] for name in ("scores", "Q", "weights", "x") if name in state), None)


def _axes(count: int) -> Condition:
    return Condition(
        f"for {count} axes", lambda state, _: getattr(_main(state), "ndim", 0) == count
    )


def _is_stack(state: State, _: int) -> bool:
    return getattr(_main(state), "ndim", 0) > 2


def _samples(state: State) -> int:
    main = _main(state)
    return main.shape[0] if main is not None and main.ndim > 2 else 1


def _equal(first: tuple[str, int], second: tuple[str, int]) -> Any:
    """Whether two sizes are there and are the same."""

    def holds(state: State, _: int) -> bool:
        arrays = [state.get(name) for name, _ in (first, second)]
        if any(not isinstance(array, np.ndarray) for array in arrays):
            return False
        if any(state[name].ndim < (axis if axis >= 0 else -axis) for name, axis in (first, second)):
            return False
        sizes = [state[name].shape[axis] for name, axis in (first, second)]
        return bool(sizes[0] == sizes[1])

    return holds


def _same_shape(first: str, second: str) -> Any:
    def holds(state: State, _: int) -> bool:
        return first in state and second in state and state[first].shape == state[second].shape

    return holds


def _mask_is(kind: str) -> Any:
    def holds(state: State, _: int) -> bool:
        mask = state.get("mask")
        return mask is not None and (mask.dtype == np.bool_) == (kind == "boolean")

    return holds


_PLAIN = (
    *(_axes(count) for count in (2, 3, 4)),
    Condition("for stacks", _is_stack),
    Condition("for one sample", lambda state, _: _samples(state) == 1),
    Condition("where a mask is given", lambda state, _: state.get("mask") is not None),
    Condition("for boolean masks", _mask_is("boolean")),
    Condition("for additive masks", _mask_is("additive")),
    Condition("where the flag is set", lambda state, _: bool(state.get("causal"))),
    Condition("for one head", lambda state, _: state.get("num_heads") == 1),
    Condition("where Q and K have one shape", _same_shape("Q", "K")),
    Condition("where V has the shape of Q", _same_shape("V", "Q")),
    Condition("for values as wide as queries", _equal(("V", -1), ("Q", -1))),
    Condition("for as many queries as keys", _equal(("Q", -2), ("K", -2))),
    Condition("for square scores", _equal(("scores", -2), ("scores", -1))),
    Condition("for as many keys as features", _equal(("K", -2), ("K", -1))),
    Condition("for as many tokens as features", _equal(("x", -2), ("x", -1))),
    Condition("for as many samples as tokens", _equal(("x", 0), ("x", -2))),
    Condition("from the second call on", lambda _, place: place > 0),
)


def _negated(condition: Condition) -> Condition:
    return Condition(
        f"unless {condition.label}", lambda state, place: not condition.holds(state, place)
    )


CONDITIONS: tuple[Condition, ...] = (*_PLAIN, *map(_negated, _PLAIN))
"""the plain ones first"""

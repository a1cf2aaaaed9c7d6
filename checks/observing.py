"""A transcript as the search for models sees it: states, outcomes, and what counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Answer, Outcome, Result
from attnpack.diagnosis.observed import Came, Ended, Observed

from .agreement import differs, largest
from .mask import CLOSES_UNDER_1E4, underflow_raised
from .probe import OWN_RULES, RESULT_NAMES, Asked, Inputs, Probe, Tag, usable
from .values import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.diagnosis.models import State

    from .oracle import Array

SCALAR_OVERFLOW = ("OverflowError", "ZeroDivisionError", "FloatingPointError")
OF_SHAPE = ("ValueError", "RuntimeError", "IndexError", "TypeError", "AxisError", "AssertionError")
"""what arrays that do not fit raise; a NameError is no trace of a modelled bug"""


def observe(everything: Sequence[Asked]) -> list[Observed]:
    """Every probe that models can repeat."""
    return [_observed(one) for one in everything if not one.probe.tags & OWN_RULES]


def _observed(one: Asked) -> Observed:
    states = tuple(_state(one, call) for call in one.probe.calls)
    came = tuple(_came(one, index) for index in range(len(one.answers)))
    return Observed(one.probe.key, states, came)


def _state(one: Asked, call: Inputs) -> State:
    if one.probe.is_class or one.probe.exercise != "scaled_dot_product_attention":
        return dict(call)
    return {**call, "mask": call.get("mask")}


def _came(one: Asked, index: int) -> Came:
    answer = one.answers[index]
    if answer.outcome is Outcome.RAISED:
        return _raised(one, answer)
    if not usable(answer):
        return Came(Ended.UNKNOWN)
    expected = one.probe.expected_results[index]
    names = RESULT_NAMES[one.probe.exercise]
    bounds = [one.probe.tolerance(index, name) for name in names]
    arrays = tuple(_comparable(one.probe, array) for array in answer.arrays)
    same_form = len(arrays) == len(expected)
    allowed = tuple(bounds) if same_form else (max(bounds),) * len(arrays)
    counts = tuple(_counts(one, index, answer) if same_form else None for _ in arrays)
    wrong = not same_form or any(
        _is_wrong(_comparable(one.probe, right), array, bound, count)
        for right, array, bound, count in zip(expected, arrays, allowed, counts, strict=True)
    )
    if same_form:
        allowed = tuple(map(_as_large, allowed, expected, answer.results))
    return Came(Ended.NUMBERS, arrays, allowed, counts, wrong)


def _as_large(allowed: float, right: Array, result: Result) -> float:
    """Single precision loses digits: more of them where numbers are larger than the right ones."""
    if result.dtype != "float32" or result.array is None:
        return allowed
    return allowed * max(1.0, largest(result.array) / (1.0 + largest(right)))


def _comparable(probe: Probe, array: Array | None) -> Array:
    """float64; in a causal mask every number low enough to close is minus infinity."""
    numbers = np.asarray(array, dtype=np.float64)
    if probe.exercise == "causal_mask":
        return np.where(numbers <= CLOSES_UNDER_1E4, -np.inf, numbers)
    return numbers


def _counts(one: Asked, index: int, answer: Answer) -> Array | None:
    if Tag.UNDERFLOW not in one.probe.tags:
        return None
    return counted(one, index, answer)


def _is_wrong(expected: Array, came: Array, allowed: float, count: Array | None) -> bool:
    if expected.shape != came.shape:
        return True
    wrong = differs(expected, came, allowed)
    return bool((wrong if count is None else wrong & count).any())


def _raised(one: Asked, answer: Answer) -> Came:
    assert answer.raised is not None
    if underflow_raised(one):
        return Came(Ended.UNKNOWN)
    if answer.raised.type in SCALAR_OVERFLOW:
        return Came(Ended.OVERFLOWED, wrong=True)
    of_shape = any(answer.raised.type.endswith(kind) for kind in OF_SHAPE)
    return Came(Ended.RAISED if of_shape else Ended.UNKNOWN, wrong=True)


def is_masked(state: State) -> bool:
    """Whether how masked keys are blocked can show in a call."""
    if "seq_len" in state:
        return False
    alone = "x" in state and state["x"].shape[-2] == 1
    return (bool(state.get("causal")) and not alone) or state.get("mask") is not None


def right_came(probe: Probe, index: int) -> Came:
    """The oracle's results in the form of an observation, for comparing a model with them."""
    names = RESULT_NAMES[probe.exercise]
    arrays = tuple(_comparable(probe, array) for array in probe.expected_results[index])
    allowed = tuple(probe.tolerance(index, name) for name in names)
    return Came(Ended.NUMBERS, arrays, allowed, (None,) * len(arrays))

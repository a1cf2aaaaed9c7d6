"""What is left over from an earlier call: told by the order of the answers, without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .agreement import differs
from .probe import RESULT_NAMES, Tag, usable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .oracle import Array
    from .probe import Asked, Inputs


def mask_of_first_length(everything: Sequence[Asked]) -> bool:
    """`causal_mask` answers every length with the first one's mask, whole or cut."""
    masks = [
        np.asarray(array)
        for one in everything
        for answer in one.answers
        if usable(answer)
        for array in answer.arrays
    ]
    if len(masks) < 2 or masks[0].ndim != 2:
        return False
    first = masks[0]
    lengths = [call["seq_len"] for one in everything for call in one.probe.calls]
    others = [
        mask
        for mask, length in zip(masks, lengths, strict=False)
        if length != lengths[0] and mask.ndim == 2 and mask.shape != (length, length)
    ]
    cut = (first[: mask.shape[0], : mask.shape[-1]] for mask in others)
    return bool(others) and all(
        np.array_equal(mask, part) for mask, part in zip(others, cut, strict=True)
    )


def answer_of_earlier_call(everything: Sequence[Asked]) -> bool:
    """A wrong answer is to the last digit the right answer to an earlier call."""
    right: list[tuple[Array, Inputs]] = []
    for one, index, array in _first_results(everything):
        call = one.probe.calls[index]
        expected = one.probe.expected_results[index][0]
        name = RESULT_NAMES[one.probe.exercise][0]
        allowed = one.probe.tolerance(index, name)
        if array.shape != expected.shape:
            continue
        if not differs(expected, array, allowed).any():
            right.append((array, call))
        elif any(np.array_equal(array, earlier) and _new(call, of) for earlier, of in right):
            return True
    return False


def _new(call: Inputs, earlier: Inputs) -> bool:
    """Whether more than the mask or the flag is different."""
    names = [name for name in ("scores", "Q", "K", "V", "weights", "x") if name in call]
    return not all(np.array_equal(call[name], earlier[name]) for name in names)


def only_later_calls_wrong(everything: Sequence[Asked]) -> bool:
    """On each object the first call is right; some later one of the same shape is not."""
    later = False
    for one, index, array in _first_results(everything):
        if not one.probe.is_class:
            return False
        expected = one.probe.expected_results[index][0]
        name = RESULT_NAMES[one.probe.exercise][0]
        allowed = one.probe.tolerance(index, name)
        wrong = array.shape != expected.shape or bool(differs(expected, array, allowed).any())
        if wrong and index == 0:
            return False
        same_shape = one.probe.calls[index]["x"].shape == one.probe.calls[0]["x"].shape
        later = later or (wrong and same_shape)
    return later


def _first_results(everything: Sequence[Asked]) -> Iterator[tuple[Asked, int, Array]]:
    for one in everything:
        if Tag.NOT_DIVIDING in one.probe.tags:
            continue
        for index, answer in enumerate(one.answers):
            if usable(answer) and answer.arrays[0] is not None:
                yield one, index, answer.arrays[0]

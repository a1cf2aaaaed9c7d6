"""What is left over from an earlier call: told by the order of the answers, without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .agreement import differs
from .draft import Tag
from .probe import usable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .draft import Inputs
    from .probe import Answered
    from .steps.recorded import Array


def mask_of_first_length(all_answered: Sequence[Answered]) -> bool:
    """`causal_mask` answers every length with the first one's mask, whole or cut."""
    masks = [
        np.asarray(array)
        for answered in all_answered
        for answer in answered.answers
        if usable(answer)
        for array in answer.arrays
    ]
    if len(masks) < 2 or masks[0].ndim != 2:
        return False
    first = masks[0]
    lengths = [
        len(results[0]) for answered in all_answered for results in answered.probe.expected_results
    ]
    others = [
        mask
        for mask, length in zip(masks, lengths, strict=False)
        if length != lengths[0] and mask.ndim == 2 and mask.shape != (length, length)
    ]
    cut = (first[: mask.shape[0], : mask.shape[-1]] for mask in others)
    return bool(others) and all(
        np.array_equal(mask, part) for mask, part in zip(others, cut, strict=True)
    )


def answer_of_earlier_call(all_answered: Sequence[Answered]) -> bool:
    """A wrong answer is to the last digit the right answer to an earlier call."""
    right: list[tuple[Array, Inputs]] = []
    for answered, index, array in _first_results(all_answered):
        call = answered.probe.calls[index]
        expected = answered.probe.expected_results[index][0]
        name = answered.probe.exercise.results[0]
        allowed = answered.probe.tolerance(index, name)
        if array.shape != expected.shape:
            continue
        if not differs(expected, array, allowed).any():
            right.append((array, call))
        elif any(np.array_equal(array, earlier) and _new(call, of) for earlier, of in right):
            return True
    return False


def _new(call: Inputs, earlier: Inputs) -> bool:
    """Whether more than the mask or the flag is different."""
    arrays = {n: a for n, a in call.items() if isinstance(a, np.ndarray) and n != "mask"}
    return not all(np.array_equal(array, earlier[name]) for name, array in arrays.items())


def only_later_calls_wrong(all_answered: Sequence[Answered]) -> bool:
    """On each object the first call is right; some later one of the same shape is not."""
    later = False
    for answered, index, array in _first_results(all_answered):
        if not answered.probe.is_class:
            return False
        expected = answered.probe.expected_results[index][0]
        name = answered.probe.exercise.results[0]
        allowed = answered.probe.tolerance(index, name)
        wrong = array.shape != expected.shape or bool(differs(expected, array, allowed).any())
        if wrong and index == 0:
            return False
        same_shape = answered.probe.calls[index]["x"].shape == answered.probe.calls[0]["x"].shape
        later = later or (wrong and same_shape)
    return later


def _first_results(all_answered: Sequence[Answered]) -> Iterator[tuple[Answered, int, Array]]:
    for answered in all_answered:
        if Tag.REFUSED in answered.probe.tags:
            continue
        for index, answer in enumerate(answered.answers):
            if usable(answer) and answer.arrays[0] is not None:
                yield answered, index, answer.arrays[0]

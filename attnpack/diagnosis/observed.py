"""What was observed of a learner's code, as a model must repeat it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .models import State

Array: TypeAlias = NDArray[Any]


class Ended(Enum):
    """How one of the learner's calls ended, as far as a model can repeat it."""

    NUMBERS = auto()
    RAISED = auto()
    OVERFLOWED = auto()
    """raised by scalar arithmetic where arrays would hold NaN or infinity"""
    UNKNOWN = auto()
    """not reached, or not comparable: says nothing for or against a model"""


@dataclass(frozen=True)
class Observation:
    """What the learner's code gave for one call, and how close a model must come."""

    ended: Ended
    arrays: tuple[Array, ...] = ()
    allowed: tuple[float, ...] = ()
    counted: tuple[Array | None, ...] = ()
    """which numbers count, broadcastable to each array; None for all"""
    wrong: bool = False
    """the oracle says otherwise"""

    @property
    def size(self) -> int:
        """How many numbers it gave."""
        return sum(array.size for array in self.arrays)


@dataclass(frozen=True)
class ObservedProbe:
    """One probe: the calls on one object, their inputs and what the learner's code gave."""

    key: str
    states: tuple[State, ...]
    answers: tuple[Observation, ...]
    kind: str = ""
    """probes of one kind ask for the same property; one of each is tried first"""

    @property
    def wrong(self) -> bool:
        """Some call of it is wrong."""
        return any(answer.wrong for answer in self.answers)

    @property
    def size(self) -> int:
        """How many numbers all its calls gave."""
        return sum(answer.size for answer in self.answers)


Results: TypeAlias = Sequence[Array] | None
"""a model's results for one call; None where it cannot run on the inputs, which says "raises" """


def residual(results: Results, answer: Observation) -> float | None:
    """How far a model's outcome is from the learner's in units of what is allowed.

    None where it is another outcome, 0 to 1 where it is the same.
    """
    if answer.ended is Ended.RAISED:
        return 0.0 if results is None else None
    if answer.ended is Ended.OVERFLOWED:
        infinite = results is None or any(not np.isfinite(array).all() for array in results)
        return 0.0 if infinite else None
    if results is None or len(results) != len(answer.arrays):
        return None
    return _largest_gap(results, answer)


def _largest_gap(results: Sequence[Array], answer: Observation) -> float | None:
    largest = 0.0
    for model, array, allowed, counted in zip(
        results, answer.arrays, answer.allowed, answer.counted, strict=True
    ):
        if model.shape != array.shape:
            return None
        if model.size == 0:
            continue
        gap = np.abs(model - array)
        worst = float(gap.max())
        if counted is not None or not worst <= allowed:
            same = (model == array) | (np.isnan(model) & np.isnan(array))
            ignored = same if counted is None else same | ~counted
            worst = float(np.where(ignored, 0.0, gap).max())
            if not worst <= allowed:
                return None
        largest = max(largest, worst / allowed)
    return largest

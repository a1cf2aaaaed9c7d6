"""The small computations behind the numbers that the bug cards print, by bug id.

Each function is named like its bug and returns label -> value, as the card's example shows them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

Value: TypeAlias = "ArrayLike | str | None"
Example: TypeAlias = "Callable[[], dict[str, Value]]"

EXAMPLES: dict[str, Example] = {}


def example(compute: Example) -> Example:
    """Register the computation under the bug's id."""
    EXAMPLES[compute.__name__.replace("_", "-")] = compute
    return compute


def exp_shares(scores: ArrayLike, axis: int = -1) -> NDArray[np.float64]:
    """softmax along an axis; a row that is `-inf` throughout becomes NaN, as it does in PyTorch."""
    scores = np.asarray(scores, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def error_of(compute: Callable[[], object]) -> str:
    """The name of the exception that a call raises."""
    try:
        compute()
    except Exception as error:
        return type(error).__name__
    return "no error"

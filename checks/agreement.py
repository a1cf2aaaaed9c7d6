"""How far apart two right answers may be, and how to say that they are further.

The one place for tolerances. Single precision is right, half precision is not: a tolerance
is float32's machine epsilon times what the inputs amplify, the size of the scores plus the
lengths summed over, times the size of the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.pack.kinds import Comparison

from .steps.right import swap

if TYPE_CHECKING:
    from attnpack.calls import Answer

    from .exercise import Exercise
    from .steps.recorded import Array, Named

FLOAT32_EPSILON = float(np.finfo(np.float32).eps)
ORDERINGS = 8.0
"""covers the spread of right float32 orderings of one sum (tests/checks/test_agreement.py)"""
FLOOR = 1e-9


def largest(array: Array) -> float:
    """The largest finite magnitude; 0 where there is none."""
    finite = np.abs(array[np.isfinite(array)]) if array.dtype != np.bool_ else array
    return float(finite.max()) if finite.size else 0.0


def _magnitude_of_scores(named: Named) -> float:
    """The largest sum of absolute products behind a score: cancellation makes scores smaller."""
    if "Q" not in named:
        return largest(np.asarray(named["scores"], dtype=np.float64)) if "scores" in named else 0.0
    queries, keys = np.abs(named["Q"]), np.abs(named["K"])
    return float((queries @ swap(keys)).max() / np.sqrt(queries.shape[-1]))


def _amplification(exercise: Exercise, named: Named) -> float:
    """How far one rounding of float32 can grow: by the scores and the lengths, unless said."""
    if exercise.condition is not None:
        return exercise.condition(named)
    length = max(int(array.shape[-1]) for array in named.values() if array.ndim)
    return _magnitude_of_scores(named) + length


def _size_of_result(name: str, named: Named) -> float:
    if name in ("scores", "weights", "closed"):
        return 1.0
    if "V" not in named:
        return 1.0 + largest(named[name])
    if name == "output":
        width = named["output"].shape[-1]
        size = largest(named["V"]) * (1.0 + largest(named["output"]))
        return float(1.0 + size * np.sqrt(width))
    return 1.0 + largest(named["V"])


def tolerance(exercise: Exercise, name: str, named: Named) -> float:
    """The largest difference between two right answers for the result called `name`."""
    amplified = _amplification(exercise, named) * _size_of_result(name, named)
    return max(FLOOR, ORDERINGS * FLOAT32_EPSILON * amplified)


def differs(expected: Array, given: Array, allowed: float) -> Array:
    """Where `given` is not `expected`: NaN equals NaN and an infinity equals itself only."""
    expected = np.asarray(expected, dtype=np.float64)
    given = np.asarray(given, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(expected - given) <= allowed
    if not close.all():
        close |= (expected == given) | (np.isnan(expected) & np.isnan(given))
    wrong: Array = ~close
    return wrong


def agree(expected: Array, given: Array | None, allowed: float) -> bool:
    """Same shape, and no element further than `allowed`."""
    if given is None or given.shape != expected.shape:
        return False
    return not differs(expected, given, allowed).any()


def compare(call: str, expected: Array, answer: Answer, index: int, allowed: float) -> Comparison:
    """What came and what was expected, for the panel. `index` is the result's position."""
    result = answer.results[index]
    given = result.array
    if given is None or given.shape != expected.shape:
        shape = None if given is None else given.shape
        return Comparison(call, expected.shape, shape, result.dtype, right=expected)
    wrong = differs(expected, given, allowed)
    if not wrong.any():
        return Comparison(call, expected.shape, given.shape, result.dtype, differing=0)
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    with np.errstate(invalid="ignore"):
        gaps = np.abs(np.asarray(expected, dtype=np.float64) - given)
    finite = gaps[np.isfinite(gaps)]
    return Comparison(
        call,
        expected.shape,
        given.shape,
        result.dtype,
        first_index=first,
        expected=float(expected[first]),
        got=float(given[first]),
        largest_difference=float(finite.max()) if finite.size == gaps.size else float("inf"),
        differing=int(wrong.sum()),
        size=int(wrong.size),
        right=expected,
    )


def gradient_tolerance(exercise: Exercise, named: Named, expected: Array) -> float:
    """The largest difference between two right gradients; central differences included."""
    amplified = _amplification(exercise, named) * (1.0 + largest(expected))
    return max(1e-6, 8.0 * ORDERINGS * FLOAT32_EPSILON * amplified)

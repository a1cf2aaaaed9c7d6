"""A probe: one call with fresh numbers, what is right of it, and what the learner answered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Answer, Call, Outcome, Transcript
from attnpack.pack.kinds import Comparison

if TYPE_CHECKING:
    from attnpack.authoring.exercise import Array, Exercise, Inputs
    from attnpack.diagnosis.models import State
    from attnpack.pack.kinds import Plan

FLOAT32_EPSILON = float(np.finfo(np.float32).eps)
ORDERINGS = 8.0
"""how much further apart sums in another order may be"""


@dataclass(frozen=True)
class Probe:
    """One call of an exercise."""

    key: str
    exercise: Exercise
    inputs: Inputs

    @cached_property
    def right(self) -> State:
        """The state of a right run at its end."""
        with np.errstate(all="ignore"):
            return self.exercise.pipeline.run(dict(self.inputs), ())

    @cached_property
    def expected(self) -> tuple[Array, ...]:
        """The right results."""
        return tuple(np.asarray(array) for array in self.right["results"])

    @cached_property
    def allowed(self) -> tuple[float, ...]:
        """How far each result may be off: what single precision loses on such numbers."""
        arrays = [np.asarray(value) for value in self.inputs.values()]
        summed = max((size for array in arrays for size in array.shape), default=1)
        amplified = summed + max(map(_largest, arrays), default=0.0)
        unit = ORDERINGS * FLOAT32_EPSILON * amplified
        return tuple(unit * (1.0 + _largest(array)) for array in self.expected)

    def question(self, *, trace: bool = False) -> Call:
        """What to ask a guest."""
        arguments = tuple(self.inputs[name] for name in self.exercise.arguments)
        count = len(self.exercise.results)
        return Call(self.key, self.exercise.name, arguments, returns=count, trace=trace)

    def __str__(self) -> str:
        """The call in words: `standardise(x (3, 5))`."""
        given = [_spoken(name, self.inputs[name]) for name in self.exercise.arguments]
        return f"{self.exercise.name}({', '.join(given)})"


@dataclass(frozen=True)
class Answered:
    """A probe with what came of it."""

    probe: Probe
    answer: Answer

    @property
    def arrays(self) -> tuple[Array, ...] | None:
        """The results as float64; None where they are not as many arrays as they should be."""
        results = self.answer.results
        if self.answer.outcome is not Outcome.RETURNED:
            return None
        if len(results) != len(self.probe.expected):
            return None
        arrays = [result.array for result in results if _is_numbers(result.array)]
        if len(arrays) != len(results):
            return None
        return tuple(np.asarray(array, dtype=np.float64) for array in arrays)


def answered(plan: Plan, transcript: Transcript) -> list[Answered]:
    """Every probe of a plan with its answer; what never came was not reached."""
    return [
        Answered(probe, transcript.answers.get(probe.key, Answer(probe.key, Outcome.NOT_REACHED)))
        for probe in plan.probes
    ]


def wrong(expected: Array, got: Array, allowed: float) -> Array:
    """True where two arrays of one shape are further apart than is allowed."""
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(expected - got) <= allowed
    close |= (expected == got) | (np.isnan(expected) & np.isnan(got))
    differing: Array = ~close
    return differing


def compared(call: Answered, position: int) -> Comparison:
    """What the code gave and what was expected of one result, for the report."""
    expected, result = call.probe.expected[position], call.answer.results[position]
    got, asked = result.array, str(call.probe)
    if got is None or got.shape != expected.shape:
        shape = None if got is None else got.shape
        return Comparison(asked, expected.shape, shape, result.dtype)
    differing = wrong(expected, got, call.probe.allowed[position])
    first = tuple(int(i) for i in np.argwhere(differing)[0]) if differing.any() else None
    with np.errstate(invalid="ignore", over="ignore"):
        gap = float(np.abs(expected - got).max(initial=0.0))
    return Comparison(
        asked,
        expected.shape,
        got.shape,
        result.dtype,
        first_index=first,
        expected=None if first is None else float(expected[first]),
        got=None if first is None else float(got[first]),
        largest_difference=gap if np.isfinite(gap) else float("inf"),
        differing=int(differing.sum()),
        size=int(differing.size),
    )


def _is_numbers(array: Array | None) -> bool:
    return array is not None and array.dtype.kind in "fiub"


def _largest(array: Array) -> float:
    return float(np.abs(array[np.isfinite(array)]).max(initial=0.0))


def _spoken(name: str, value: object) -> str:
    return f"{name} {value.shape}" if isinstance(value, np.ndarray) else f"{name}={value}"

"""A probe: inputs chosen to tell bugs apart, the questions it puts, the answers it expects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.calls import Answer, Build, Call, Fill, Forward, Mode, Outcome, Question

from .agreement import tolerance
from .draft import Inputs, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.terms import Stage

    from .draft import Draft
    from .draw import Draw
    from .exercise import Exercise, Signature
    from .steps.recorded import Array, Named


@dataclass(frozen=True)
class Probe:
    """Calls that belong together: one for a function, a sequence on one object for a class."""

    key: str
    exercise: Exercise
    stage: Stage
    calls: tuple[Inputs, ...]
    tags: frozenset[Tag] = frozenset()
    precision: str = "float64"
    cotangents: tuple[tuple[Array | None, ...], ...] = ()
    """per call, per result; empty where no gradients are asked"""
    beside: str = ""
    """a name shared with probes whose answers are held against this one's"""

    @property
    def is_class(self) -> bool:
        """Whether the exercise is a class."""
        return self.exercise.built is not None

    def call_key(self, index: int) -> str:
        """The key under which the answer to one call comes back."""
        return f"{self.key}/{index}"

    @cached_property
    def expected(self) -> tuple[Named, ...]:
        """The arrays of a right run, one mapping per call; of a class in order, on one object."""
        kept: dict[str, Any] = {}
        return tuple(self.exercise.right({**call, "kept": kept}) for call in self.calls)

    @cached_property
    def expected_results(self) -> tuple[tuple[Array, ...], ...]:
        """The right results as the contract returns them, per call."""
        names = self.exercise.results
        return tuple(tuple(np.asarray(named[name]) for name in names) for named in self.expected)

    def argument(self, index: int, path: str) -> str:
        """What the contract calls an argument that a guest counts: `1/W_q` is `weights/W_q`."""
        first, slash, rest = path.partition("/")
        if not first.isdecimal():
            return path
        return f"{self.exercise.arguments(self.calls[index])[int(first)]}{slash}{rest}"

    def tolerance(self, index: int, name: str) -> float:
        """The largest difference between two right answers to one call, for one result."""
        if (index, name) not in self._tolerances:
            allowed = tolerance(self.exercise, name, self.expected[index])
            self._tolerances[index, name] = allowed
        return self._tolerances[index, name]

    @cached_property
    def _tolerances(self) -> dict[tuple[int, str], float]:
        return {}

    def comparable(self, array: Array | None) -> Array:
        """As float64, and equal to what is equally right."""
        numbers = np.asarray(array, dtype=np.float64)
        alike = self.exercise.comparable
        return numbers if alike is None else np.asarray(alike(numbers))

    def questions(self) -> Iterator[Question]:
        """What to ask a guest."""
        if self.is_class:
            yield from self._class_questions()
            return
        for index, call in enumerate(self.calls):
            positional, keywords = handed_over(self.exercise.takes, call)
            yield Call(
                self.call_key(index),
                self.exercise.name,
                positional,
                keywords,
                returns=len(self.exercise.results),
                cotangents=self._cotangents(index),
                precision=self.precision,
                strided=Tag.STRIDED in self.tags,
            )

    def _cotangents(self, index: int) -> tuple[Array | None, ...] | None:
        return self.cotangents[index] if self.cotangents else None

    def _class_questions(self) -> Iterator[Question]:
        built, slot = self.exercise.built, self.key
        assert built is not None
        positional, keywords = handed_over(built.constructor, self.calls[0])
        yield Build(
            f"{slot}/build",
            slot,
            self.exercise.name,
            positional,
            keywords,
            parameters=built.parameters(self.calls[0]),
            biases=built.biases,
        )
        filled: Mapping[str, Array] | None = None
        for index, call in enumerate(self.calls):
            if call["matrices"] is not None and call["matrices"] is not filled:
                filled = call["matrices"]
                yield Fill(f"{slot}/fill{index}", slot, call["matrices"])
            positional, keywords = handed_over(self.exercise.signature(call), call)
            yield Forward(
                self.call_key(index),
                slot,
                positional,
                keywords,
                method=built.method(call),
                cotangents=self._cotangents(index),
                precision=self.precision,
                mode=Mode.TRAIN if Tag.TRAIN in self.tags else Mode.EVAL,
            )


def bound(draft: Draft, exercise: Exercise, stage: Stage, draw: Draw) -> Probe:
    """A draft as a probe of an exercise; its key begins with the stage."""
    usual = "float64" if exercise.built is None else draw.precision
    return Probe(
        f"{stage}/{draft.name}",
        exercise,
        stage,
        draft.calls,
        draft.tags,
        draft.precision or usual,
        draft.cotangents,
        draft.beside,
    )


def is_left_out(call: Inputs, name: str) -> bool:
    """Whether a call does not hand an argument over: its default is meant, or it is no mask."""
    return name in call.get("left out", ()) or (name == "mask" and call.get(name) is None)


def handed_over(signature: Signature, call: Inputs) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What goes in by position and by name. Raises ValueError where one left out is not last."""
    present = [name for name in signature.positional if not is_left_out(call, name)]
    if present != list(signature.positional[: len(present)]):
        raise ValueError(f"an argument before {present[-1]} is left out")
    by_name = [name for name in signature.keywords if not is_left_out(call, name)]
    return tuple(call[name] for name in present), {name: call[name] for name in by_name}


def settle_biases(probe: Probe, answers: Mapping[str, Answer]) -> Probe:
    """The probe with only those biases that the learner's layers really have."""
    built = probe.exercise.built
    if built is None or not built.biases:
        return probe
    answer = answers.get(f"{probe.key}/build")
    present = tuple(answer.facts.get("biases", ())) if answer is not None else ()
    absent = built.biases.keys() - set(present)
    calls = tuple(_without(call, absent) for call in probe.calls)
    if all(kept is call for kept, call in zip(calls, probe.calls, strict=True)):
        return probe  # and with it what it has worked out
    return replace(probe, calls=calls)


def _without(call: Inputs, absent: set[str]) -> Inputs:
    matrices = call["matrices"] or {}
    kept = {name: array for name, array in matrices.items() if name not in absent}
    return call if len(kept) == len(matrices) else {**call, "matrices": kept}


@dataclass(frozen=True)
class Answered:
    """A probe with its answers, one per call."""

    probe: Probe
    answers: tuple[Answer, ...]
    build: Answer | None = None

    def arrays(self, index: int) -> tuple[Array | None, ...]:
        """The results of one call."""
        return self.answers[index].arrays

    @property
    def returned(self) -> bool:
        """Every call gave arrays."""
        return all(usable(answer) for answer in self.answers)


def usable(answer: Answer) -> bool:
    """The call returned and every result is an array."""
    return (
        answer.outcome is Outcome.RETURNED
        and bool(answer.results)
        and all(array is not None for array in answer.arrays)
    )


def with_answers(probe: Probe, answers: Mapping[str, Answer]) -> Answered:
    """Pair a probe with what came back; what never came is NOT_REACHED."""
    settled = settle_biases(probe, answers)
    if probe.exercise.settle is not None:
        settled = probe.exercise.settle(settled, answers)
    keys = [probe.call_key(index) for index in range(len(probe.calls))]
    found = tuple(answers.get(key) or Answer(key, Outcome.NOT_REACHED) for key in keys)
    return Answered(settled, found, answers.get(f"{probe.key}/build"))

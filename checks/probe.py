"""A probe: inputs chosen to tell bugs apart, the questions it puts, the answers it expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from attnpack.calls import Answer, Build, Call, Fill, Forward, Mode, Outcome, Question

from . import oracle
from .agreement import tolerance

if TYPE_CHECKING:
    from attnpack.terms import Stage

    from .oracle import Array, Named

Inputs: TypeAlias = Mapping[str, Any]
"""One call's arguments by name; for a class also `d_model`, `num_heads`, `causal`, `matrices`."""

FUNCTION_ARGUMENTS = {
    "softmax": ("scores",),
    "attention_scores": ("Q", "K", "d_k"),
    "causal_mask": ("seq_len",),
    "apply_attention": ("weights", "V"),
    "scaled_dot_product_attention": ("Q", "K", "V", "mask"),
}
CLASSES = ("SelfAttention", "MultiHeadAttention")
MATRICES = ("W_q", "W_k", "W_v", "W_o")
BIASES = ("b_q", "b_k", "b_v", "b_o")


class Tag(StrEnum):
    """What is special about a probe."""

    INTEGER = "integer"
    UNDERFLOW = "underflow"
    """mask-then-renormalise cannot be right here: noted, not failed"""
    RECOVER = "recover"
    """one pass of reading a class's weights through identity values"""
    FLIP = "flip"
    NOT_DIVIDING = "not_dividing"
    REPEAT = "repeat"
    BLOCKED_ROW = "blocked_row"
    """one row with every key masked: anything is right, it may be noted"""
    STRIDED = "strided"
    """arguments are transposed views: an array is one all the same, so it is noted"""
    HALF = "half"
    """the same masks in float16 and float32: what they do is noted"""
    TRAIN = "train"
    """dropout acts: only finite numbers and closed masks are asked for"""


FOR_NOTES = frozenset({Tag.BLOCKED_ROW, Tag.HALF, Tag.STRIDED})
"""probes with these tags are noted and never judged, by no stage"""
OWN_RULES = FOR_NOTES | {Tag.NOT_DIVIDING, Tag.TRAIN}
"""probes with these tags have other right answers than the oracle's"""


@dataclass(frozen=True)
class Probe:
    """Calls that belong together: one for a function, a sequence on one object for a class."""

    key: str
    exercise: str
    stage: Stage
    calls: tuple[Inputs, ...]
    tags: frozenset[Tag] = frozenset()
    precision: str = "float64"
    cotangents: tuple[tuple[Array | None, ...], ...] = ()
    """per call, per result; empty where no gradients are asked"""
    mode: Mode = Mode.EVAL

    @property
    def is_class(self) -> bool:
        """Whether the exercise is a class."""
        return self.exercise in CLASSES

    def call_key(self, index: int) -> str:
        """The key under which the answer to one call comes back."""
        return f"{self.key}/{index}"

    @cached_property
    def expected(self) -> tuple[Named, ...]:
        """The oracle's intermediates, one mapping per call."""
        return tuple(intermediates(self.exercise, call) for call in self.calls)

    @cached_property
    def expected_results(self) -> tuple[tuple[Array, ...], ...]:
        """The oracle's results as the contract returns them, per call."""
        return tuple(results(self.exercise, named) for named in self.expected)

    def tolerance(self, index: int, name: str) -> float:
        """The largest difference between two right answers to one call, for one result."""
        if (index, name) not in self._tolerances:
            allowed = tolerance(self.exercise, name, self.expected[index])
            self._tolerances[index, name] = allowed
        return self._tolerances[index, name]

    @cached_property
    def _tolerances(self) -> dict[tuple[int, str], float]:
        return {}

    def questions(self, trace: bool = False) -> Iterator[Question]:
        """What to ask a guest."""
        if self.is_class:
            yield from self._class_questions(trace)
            return
        names = FUNCTION_ARGUMENTS[self.exercise]
        for index, call in enumerate(self.calls):
            arguments = tuple(call[name] for name in names if not _left_out(call, name))
            yield Call(
                self.call_key(index),
                self.exercise,
                arguments,
                returns=2 if self.exercise == "scaled_dot_product_attention" else 1,
                cotangents=self._cotangents(index),
                precision=self.precision,
                strided=Tag.STRIDED in self.tags,
                trace=trace,
            )

    def _cotangents(self, index: int) -> tuple[Array | None, ...] | None:
        return self.cotangents[index] if self.cotangents else None

    def _class_questions(self, trace: bool) -> Iterator[Question]:
        first = self.calls[0]
        slot = self.key
        if self.exercise == "SelfAttention":
            yield Build(f"{slot}/build", slot, self.exercise, (first["d_model"],))
        else:
            sizes = (first["d_model"], first["num_heads"])
            yield Build(f"{slot}/build", slot, self.exercise, sizes, _told(first))
        filled: Mapping[str, Array] | None = None
        for index, call in enumerate(self.calls):
            if call["matrices"] is not None and call["matrices"] is not filled:
                filled = call["matrices"]
                yield Fill(f"{slot}/fill{index}", slot, call["matrices"])
            keywords = _told(call) if self.exercise == "SelfAttention" else {}
            yield Forward(
                self.call_key(index),
                slot,
                (call["x"],),
                keywords,
                cotangents=self._cotangents(index),
                precision=self.precision,
                mode=self.mode,
                trace=trace,
            )


def _told(call: Inputs) -> Mapping[str, bool]:
    """The flag as an argument; nothing where it is left at its default, which is True."""
    return {} if call.get("by_default") else {"causal": call["causal"]}


def _left_out(call: Inputs, name: str) -> bool:
    return name == "mask" and call.get("mask") is None


def intermediates(exercise: str, call: Inputs) -> Named:
    """The oracle's named arrays for one call."""
    if exercise == "softmax":
        return {"scores": call["scores"], "weights": oracle.softmax(call["scores"])}
    if exercise == "attention_scores":
        named = oracle.attend(call["Q"], call["K"], call["K"], None)
        return {name: named[name] for name in ("Q", "K", "raw scores", "scores")}
    if exercise == "causal_mask":
        return {"mask": oracle.causal_mask(call["seq_len"])}
    if exercise == "apply_attention":
        weights, values = np.asarray(call["weights"]), np.asarray(call["V"])
        return {"weights": weights, "V": values, "attended": weights @ values}
    if exercise == "scaled_dot_product_attention":
        return oracle.attend(call["Q"], call["K"], call["V"], call.get("mask"))
    if exercise == "SelfAttention":
        return oracle.self_attention(call["x"], call["matrices"], call["causal"])
    return oracle.multi_head(call["x"], call["matrices"], call["num_heads"], call["causal"])


RESULT_NAMES = {
    "softmax": ("weights",),
    "attention_scores": ("scores",),
    "causal_mask": ("mask",),
    "apply_attention": ("attended",),
    "scaled_dot_product_attention": ("attended", "weights"),
    "SelfAttention": ("output",),
    "MultiHeadAttention": ("output",),
}


def results(exercise: str, named: Named) -> tuple[Array, ...]:
    """What the contract returns, out of the oracle's named arrays."""
    return tuple(named[name] for name in RESULT_NAMES[exercise])


def settle_biases(probe: Probe, answers: Mapping[str, Answer]) -> Probe:
    """The probe with only those biases that the learner's layers really have."""
    if not probe.is_class:
        return probe
    built = answers.get(f"{probe.key}/build")
    present = tuple(built.facts.get("biases", ())) if built is not None else ()
    calls = tuple(_with_biases(call, present) for call in probe.calls)
    if all(kept is call for kept, call in zip(calls, probe.calls, strict=True)):
        return probe  # and with it what it has worked out
    return replace(probe, calls=calls)


def _with_biases(call: Inputs, present: tuple[str, ...]) -> Inputs:
    matrices = call["matrices"] or {}
    kept = {n: a for n, a in matrices.items() if n in MATRICES or n in present}
    return call if len(kept) == len(matrices) else {**call, "matrices": kept}


@dataclass(frozen=True)
class Asked:
    """A probe with its answers, one per call."""

    probe: Probe
    answers: tuple[Answer, ...]
    build: Answer | None = None
    _arrays: dict[int, Array] = field(default_factory=dict, compare=False)

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


def asked(probe: Probe, answers: Mapping[str, Answer]) -> Asked:
    """Pair a probe with what came back; what never came is NOT_REACHED."""
    settled = settle_biases(probe, answers)
    keys = [probe.call_key(index) for index in range(len(probe.calls))]
    found = tuple(answers.get(key) or Answer(key, Outcome.NOT_REACHED) for key in keys)
    return Asked(settled, found, answers.get(f"{probe.key}/build"))

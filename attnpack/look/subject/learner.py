"""The learner's `MultiHeadAttention` as the host model's attention: a black box in a guest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Build, Fill, Forward, Outcome, Task
from attnpack.errors import OwnFaultError
from attnpack.report import words
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attnpack.calls import Answer, Question, Transcript
    from attnpack.look.model.attention import Array, Projections
    from attnpack.submission import Submission

EXERCISE = "MultiHeadAttention"
DEADLINE_S = {Backend.NUMPY: 5.0, Backend.TORCH: 20.0, Backend.VALUE: 120.0}
"""CPU seconds for one forward pass; scalar arithmetic takes longer"""
_BIASES = {"b_q": "W_q", "b_k": "W_k", "b_v": "W_v", "b_o": "W_o"}
PRECISION = {Backend.NUMPY: "float64", Backend.TORCH: "float32", Backend.VALUE: "graphless"}
"""torch modules run as constructed; nobody asks a picture's numbers for gradients"""
_SLOT = "layer"


class AttentionFailedError(Exception):
    """The learner's code gave no usable output: the message says what it did instead."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output
        """what the code printed on the way"""


@dataclass
class Learner:
    """Called as `Attention` is. Every call is one task of the guest pool, with fresh state."""

    run: Callable[[Task], Transcript]
    submission: Submission
    backend: Backend
    num_heads: int
    printed: str = field(default="", init=False)
    """what the code printed in the last call"""

    def __call__(self, x: Array, layer: Projections) -> Array:
        """(B, T, D) to (B, T, D). Raises AttentionFailedError."""
        inputs = [x] if self.backend is not Backend.VALUE else list(x)
        transcript = self.run(self._task(inputs, layer))
        self.printed = transcript.output
        if transcript.fault:
            raise OwnFaultError(f"Your code could not be run: {transcript.fault}")
        self._expect_returned(transcript.loaded, f"loading {self._entry}")
        answers = transcript.answers
        self._expect_returned(answers["build"], f"{EXERCISE}({x.shape[-1]}, {self.num_heads})")
        self._expect_filled(answers["fill"])
        call = f"{EXERCISE}.forward(x)"
        outputs = [
            self._output(answers[f"forward {i}"], y.shape, call) for i, y in enumerate(inputs)
        ]
        return outputs[0] if self.backend is not Backend.VALUE else np.stack(outputs)

    @property
    def _entry(self) -> str:
        return self.submission.entries[EXERCISE]

    def _task(self, inputs: Sequence[Array], layer: Projections) -> Task:
        width = inputs[0].shape[-1]
        matrices = {"W_q": layer.W_q, "W_k": layer.W_k, "W_v": layer.W_v, "W_o": layer.W_o}
        biases = {name: np.zeros(width) for name in _BIASES}
        questions: list[Question] = [
            Build(
                "build",
                _SLOT,
                EXERCISE,
                (width, self.num_heads),
                {"causal": True},
                parameters=dict.fromkeys(matrices, (width, width)),
                biases=_BIASES,
            ),
            Fill("fill", _SLOT, {**matrices, **biases}),
        ]
        questions += [
            Forward(f"forward {number}", _SLOT, (x,), precision=PRECISION[self.backend])
            for number, x in enumerate(inputs)
        ]
        deadline = DEADLINE_S[self.backend]
        return Task(
            EXERCISE,
            self._entry,
            self.submission.needed,
            self.backend.value,
            tuple(questions),
            deadline_s=deadline,
            total_s=2 * deadline,
        )

    def _output(self, answer: Answer, shape: tuple[int, ...], call: str) -> Array:
        self._expect_returned(answer, call)
        return array_of(answer, shape, call, self.printed)

    def _expect_filled(self, answer: Answer) -> None:
        filled = set(answer.facts.get("filled", ()))
        missing = [name for name in ("W_q", "W_k", "W_v", "W_o") if name not in filled]
        if missing:
            raise AttentionFailedError(
                f"{EXERCISE} keeps no {words.listed(missing)} of the size (d_model, d_model): "
                "the model's weights go there. Create all four in __init__.",
                self.printed,
            )

    def _expect_returned(self, answer: Answer, call: str) -> None:
        message = ended_in_words(answer, call, self._entry, DEADLINE_S[self.backend])
        if message:
            raise AttentionFailedError(message, self.printed)


def array_of(answer: Answer, shape: tuple[int, ...], call: str, printed: str) -> Array:
    """The array that a call returned. Raises AttentionFailedError for none of this shape."""
    array = answer.arrays[0] if answer.arrays else None
    if array is None:
        kind = answer.results[0].kind if answer.results else "None"
        raise AttentionFailedError(
            f"{call} returned {kind}; expected an array of shape {shape}.", printed
        )
    if array.shape != shape:
        raise AttentionFailedError(
            f"{call} returned shape {array.shape}; expected {shape}.", printed
        )
    return array.astype(np.float64)


def ended_in_words(answer: Answer, call: str, file: str, deadline_s: float) -> str:
    """How the learner's code ended instead of returning; "" where it returned."""
    match answer.outcome:
        case Outcome.RETURNED:
            return ""
        case Outcome.RAISED if answer.raised is not None:
            return words.raised(answer.raised)
        case Outcome.TIMED_OUT:
            return words.never_returns(call, deadline_s)
        case Outcome.NOT_DEFINED:
            return f"{file} does not define what {call} needs."
        case _:
            return words.ends_process(call)

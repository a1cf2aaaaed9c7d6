"""`softmax`: scores become weights."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="softmax",
    file="softmax.py",
    kind=Kind.FUNCTION,
    title="Scores become weights",
    equation="softmax(s)_j = exp(s_j) / sum_k exp(s_k), over the keys (the last axis)",
    needs=(),
    chapter="attention",
    stages=(stages.SHAPES, stages.ROW_SUMS, stages.VALUES, stages.GRADIENTS),
    hints=(
        (
            "A score table has one row per query and one column per key. Along which axis "
            "must the weights of one query add up to 1, and what is exp(1000)?"
        ),
        (
            "A softmax does not change when the same number is added to every score of a row."
            " Choose that number, row by row, so that the largest exponent is 0. Keep the "
            "reduced axis, so that one number per row lines up with its row."
        ),
        (
            "The first of the three steps is `largest = scores.max(axis=-1, keepdims=True)` "
            "(torch: `scores.amax(dim=-1, keepdim=True)`; Value: `largest = max(row)`)."
        ),
    ),
    read=(reading.STABLE_SOFTMAX, reading.VASWANI, reading.BROADCASTING),
)

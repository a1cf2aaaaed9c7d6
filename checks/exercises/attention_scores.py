"""`attention_scores`: how well each query matches each key."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="attention_scores",
    file="attention_scores.py",
    kind=Kind.FUNCTION,
    title="How well each query matches each key",
    equation="scores = Q Kᵀ / sqrt(d_k)",
    needs=(),
    chapter="attention",
    stages=(stages.SHAPES, stages.SCALING, stages.VALUES, stages.GRADIENTS),
    hints=(
        (
            "Q is (..., T_q, d_k) and K is (..., T_k, d_k). Which axis is summed over, and "
            "which two are left? How large does a sum of d_k products of unit-variance "
            "numbers grow?"
        ),
        (
            "Exchange the last two axes of K and no others: a batch or head axis in front "
            "must stay where it is. Divide once, by the root of the width of one key."
        ),
        (
            "Keys as columns: `K.swapaxes(-1, -2)` (torch: `K.transpose(-2, -1)`; Value: one "
            "dot product for each pair of a row of Q and a row of K)."
        ),
    ),
    read=(reading.VASWANI, reading.BAHDANAU, reading.ANNOTATED),
)

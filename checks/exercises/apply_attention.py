"""`apply_attention`: a weighted mean of the values."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="apply_attention",
    file="apply_attention.py",
    kind=Kind.FUNCTION,
    title="A weighted mean of the values",
    equation="output = weights V, so output_i = sum_j weights_ij V_j",
    needs=(),
    chapter="attention",
    stages=(stages.SHAPES, stages.VALUES, stages.GRADIENTS),
    hints=(
        (
            "weights is (..., T_q, T_k) and V is (..., T_k, d_v). Which axis do they share, "
            "and what is the shape when it is summed away?"
        ),
        (
            "Each row of weights mixes the rows of V. Nothing is transposed, and the width of"
            " the result is V's, not Q's."
        ),
        (
            "One component: `output[i, c] = sum(weights[i, j] * V[j, c] for j in "
            "range(T_k))`. A matrix product does that for every i and c at once."
        ),
    ),
    read=(reading.VASWANI, reading.BAHDANAU),
)

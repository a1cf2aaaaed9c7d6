"""`MultiHeadAttention`: several heads side by side."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="MultiHeadAttention",
    file="multi_head_attention.py",
    kind=Kind.CLASS,
    title="Several heads side by side",
    equation="head_i = attention(Q_i, K_i, V_i), columns i*d_k:(i+1)*d_k;  "
    "result = [head_1 ... head_h] W_o",
    needs=(
        "softmax",
        "attention_scores",
        "causal_mask",
        "apply_attention",
        "scaled_dot_product_attention",
    ),
    chapter="attention",
    stages=(
        stages.SHAPES,
        stages.ROW_SUMS,
        stages.MASK,
        stages.SCALING,
        stages.CAUSAL,
        stages.VALUES,
        stages.GRADIENTS,
    ),
    hints=(
        (
            "Head i owns columns i*d_k to (i+1)*d_k of Q. Which axis must be cut in two for "
            "that, and where must the head axis go so that heads do not attend to each other?"
        ),
        (
            "Cut the last axis (T, D) to (T, h, d_k), then exchange the axes T and h. On the "
            "way out do the same two steps backwards, in the opposite order. The scale is the"
            " head's: sqrt(d_k), with d_k = D / h."
        ),
        (
            "Cutting the columns is `Q.reshape(B, T, h, d_k)`; it is not yet `(B, h, T, d_k)`"
            " (Value: head i of a row is `row[i * d_k : (i + 1) * d_k]`)."
        ),
    ),
    read=(reading.VASWANI, reading.MINGPT, reading.ANNOTATED),
)

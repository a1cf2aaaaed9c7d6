"""`SelfAttention`: one sequence attends to itself."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="SelfAttention",
    file="self_attention.py",
    kind=Kind.CLASS,
    title="One sequence attends to itself",
    equation="Q = x W_q, K = x W_k, V = x W_v;  result = attention(Q, K, V) W_o",
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
            "Queries, keys and values all come from the same x. What makes them differ, and "
            "what is still to be done with the mixed values at the end?"
        ),
        (
            "Four matrices, all (D, D), made once in the constructor and never in forward. "
            "The length of the mask comes from x at each call, and only where causal is True."
        ),
        (
            "The length is the axis before the last, with or without a batch: `T = "
            "x.shape[-2]` (Value: `T = len(x)`)."
        ),
    ),
    read=(reading.VASWANI, reading.MINGPT, reading.ANNOTATED),
)

"""`scaled_dot_product_attention`: score, mask, softmax, mix."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    file="scaled_dot_product_attention.py",
    kind=Kind.FUNCTION,
    title="Score, mask, softmax, mix",
    equation="weights = softmax(Q Kᵀ / sqrt(d_k) + mask);  output = weights V",
    needs=("softmax", "attention_scores", "apply_attention"),
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
            "If a masked weight is set to 0 after the softmax, what do the other weights of "
            "that row add up to?"
        ),
        (
            "The mask acts on the scores, before the softmax. A boolean mask says True where "
            "a query may look; an additive mask is ready to be added. Let broadcasting line "
            "the mask up with the scores; do not reshape it."
        ),
        (
            "Tell the two forms apart by type: `mask.dtype == bool` (torch: `torch.bool`; "
            "Value: `isinstance(mask[i][j], bool)`), and fill with -1e9 where a query may not"
            " look."
        ),
    ),
    read=(reading.VASWANI, reading.ANNOTATED, reading.MICROGRAD),
)

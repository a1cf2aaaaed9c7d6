"""`causal_mask`: no token sees the future."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind

from .. import stages
from . import reading

EXERCISE = Exercise(
    name="causal_mask",
    file="causal_mask.py",
    kind=Kind.FUNCTION,
    title="No token sees the future",
    equation="mask_ij = 0 where j <= i, -1e9 where j > i",
    needs=(),
    chapter="attention",
    stages=(stages.SHAPES, stages.MASK, stages.VALUES),
    hints=(
        (
            "Row i belongs to query i. May token i see itself? And what must be added to a "
            "score so that nothing changes, or so that exp of it is 0?"
        ),
        (
            "The mask is added to the scores, so it holds numbers and no booleans: zeros on "
            "and below the diagonal, one huge negative number above it."
        ),
        (
            "Which pairs are in the future: `np.arange(T)[None, :] > np.arange(T)[:, None]` "
            "(torch: the same with `torch.arange`; Value: `j > i` inside two loops)."
        ),
    ),
    read=(reading.VASWANI, reading.ANNOTATED, reading.MINGPT),
)

"""`scaled_dot_product_attention`: score, mask, softmax, mix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.texts import Kind
from attnpack.terms import Backend

from .. import stages
from ..draft import Draft, Tag, draft
from ..exercise import Exercise, Signature
from ..steps import right
from ..traits import Trait
from . import reading
from .lazily import attending, causal, designed, half_precision, np, reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..draw import Draw


def _row_sums(draw: Draw) -> Iterator[Draft]:
    for name, scores in designed.hard_scores(draw, 4, 4).items():
        yield draft(name, attending.with_scores(draw, scores))
    if draw.stacked:
        yield draft("cube", attending.attention_inputs(draw, attending.Sizes((4,), 4, 4, 4, 4)))
        folded = attending.Sizes((2, 3), 4, 4, 5, 5)
        yield draft("heads", attending.attention_inputs(draw, folded))
        scores = 1500.0 * draw.normal(2, 3, 4, 1) + draw.normal(2, 3, 4, 4)
        yield draft("heads far apart", attending.with_scores(draw, scores))


def _for_notes(draw: Draw) -> Iterator[Draft]:
    """What is noted and never judged (torch)."""
    if draw.backend is Backend.TORCH:
        yield from half_precision.ask(draw)
        strided = attending.attention_inputs(draw, attending.Sizes((2, 3), 4, 5, 3, 2))
        yield draft("strided", strided, tags={Tag.STRIDED})


def _causal(draw: Draw) -> Iterator[Draft]:
    """The values of later tokens are flipped: whatever the scores are, their weight must be 0."""
    keep = designed.triangle(4)
    for form in ("boolean", "additive"):
        mask = attending.FORMS[form](keep)
        drawn = attending.attention_inputs(draw, attending.Sizes((), 4, 4, 3, 2))
        base = {**reach.within_reach(drawn, mask), "mask": mask, "flipped": None}
        yield draft(form, *causal.flipped_calls(base, "V"), tags={Tag.FLIP})


def _values(draw: Draw) -> Iterator[Draft]:
    yield from attending.values(draw, attending.attention_inputs)
    yield from attending.integers(draw, attending.attention_inputs)


def _gradients(draw: Draw) -> Iterator[Draft]:
    yield draft("open", attending.attention_inputs(draw, attending.Sizes((), 3, 4, 2, 2)))
    keep = designed.triangle(4)
    square = attending.attention_inputs(draw, attending.Sizes((), 4, 4, 2, 2))
    arrays = reach.within_reach(square, keep)
    yield draft("boolean mask", {**arrays, "mask": keep})
    yield draft("additive mask", {**arrays, "mask": designed.additive(keep)})
    if draw.backend is Backend.TORCH:
        yield _blocked(draw)


def _blocked(draw: Draw) -> Draft:
    """One query with every key masked: anything is right in that row, and it may be noted."""
    keep = np.ones((3, 4), dtype=bool)
    keep[1] = False
    arrays = attending.attention_inputs(draw, attending.Sizes((), 3, 4, 2, 2))
    weightless = np.ones((3, 2))  # (T_q, d_v)
    weightless[1] = 0.0
    tags = frozenset({Tag.BLOCKED_ROW})
    return Draft("blocked row", ({**arrays, "mask": keep},), tags, cotangents=((weightless, None),))


def _short_form(draw: Draw) -> Iterator[Draft]:
    yield from attending.short_form(draw, attending.attention_inputs)
    yield from attending.masks_in_short(draw)
    yield from attending.integers(draw, attending.attention_inputs)
    yield from _for_notes(draw)


EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    file="scaled_dot_product_attention.py",
    kind=Kind.FUNCTION,
    title="Score, mask, softmax, mix",
    equation="weights = softmax(Q Kᵀ / sqrt(d_k) + mask);  output = weights V",
    needs=("softmax", "attention_scores", "apply_attention"),
    chapter="attention",
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
    traits=frozenset(
        {
            Trait.GIVEN_KEYS,
            Trait.GIVEN_VALUES,
            Trait.GIVEN_MASK,
            Trait.HAS_SCORES,
            Trait.HAS_SOFTMAX,
            Trait.ATTENDS,
            Trait.HEADS_AXIS,
            Trait.ANY_AXES,
            Trait.RETURNS_ATTENDED,
            Trait.RETURNS_WEIGHTS,
        }
    ),
    takes=Signature(("Q", "K", "V", "mask")),
    results=("attended", "weights"),
    steps=(
        *right.SCORE,
        ("see", right.see_mask),
        *right.BLOCK_AND_APPLY,
    ),
    probes={
        stages.SHAPES: lambda draw: attending.shapes(draw, attending.attention_inputs),
        stages.ROW_SUMS: _row_sums,
        stages.MASK: lambda draw: [*attending.mask_pairs(draw), *_for_notes(draw)],
        stages.SCALING: lambda draw: attending.scaling(draw, attending.attention_inputs),
        stages.CAUSAL: _causal,
        stages.VALUES: _values,
        stages.GRADIENTS: _gradients,
    },
    short_form=_short_form,
    traced=lambda draw: attending.traced(draw, attending.masked_inputs),
)

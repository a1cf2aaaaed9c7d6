"""Bugs of how a mask is read: the wrong way round, lost, ignored, joined with `or`."""

from __future__ import annotations

from .. import facts
from ..steps import seeing
from ..steps.seeing import is_boolean
from .entry import Entry
from .ways import GIVEN_MASK, MAKES_CAUSAL_MASK, given, rare, way, where_rows_see_nothing
from .where import Value, Where

BUGS = (
    Entry(
        "mask-inverted",
        models=(*given(seeing.inverted),),
        equals=("mask-fill-positive", "mask-bitwise-not"),
    ),
    Entry(
        "mask-bitwise-not",
        shown_by=facts.inverts_bits,
        models=(
            *given(seeing.nothing_visible, rank=1),
            *given(seeing.everything_visible, "read the other way", rank=4, paired=False),
            way(
                {"see": seeing.causal(seeing.blocks_everything)},
                "everything is blocked",
                rank=1,
                needs=MAKES_CAUSAL_MASK,
            ),
            *where_rows_see_nothing(seeing.blocks_everything, "everything is blocked", rank=1),
            *given(seeing.inverted, "times a huge number", rank=2, paired=False),
        ),
        equals=("mask-zero-times-inf", "mask-ignored", "mask-inverted"),
    ),
    Entry(
        "mask-result-dropped",
        shown_by=facts.result_dropped,
        models=(
            *given(seeing.ignored, rank=1, paired=False),
            rare({"see": seeing.never}, needs=MAKES_CAUSAL_MASK),
        ),
        equals=("mask-ignored", "causal-missing"),
    ),
    Entry(
        "mask-argument-overwritten",
        equals=("input-mutated",),
        where=Where(value=Value.CHANGED_ARGUMENT),
    ),
    Entry(
        "mask-ignored",
        models=(
            *given(seeing.ignored),
            rare(
                {"see": seeing.given(seeing.ignored, seeing.is_stacked)},
                "masks with leading axes",
                needs=GIVEN_MASK,
            ),
            rare(
                {"see": seeing.given(seeing.ignored, seeing.is_padding)},
                "padding masks",
                needs=GIVEN_MASK,
            ),
            rare(
                {"see": seeing.given(seeing.ignored, seeing.is_flat)},
                "masks without leading axes",
                needs=GIVEN_MASK,
            ),
            rare(
                {"see": seeing.given(seeing.ignored, seeing.has_four_axes)},
                "masks with four axes",
                needs=GIVEN_MASK,
            ),
        ),
        equals=("mask-result-dropped", "mask-bitwise-not"),
    ),
    Entry(
        "mask-combined-with-or",
        needs=GIVEN_MASK,
        models=(
            way(
                {"see": seeing.given(seeing.or_causal_of_mask, seeing.is_stacked_square)},
                "square masks with leading axes",
            ),
            rare(
                {"see": seeing.given(seeing.or_causal_of_mask, seeing.is_square)},
                "square masks",
                rank=0,
            ),
            rare(
                {"see": seeing.given(seeing.or_causal, seeing.is_stacked)},
                "masks with leading axes",
                rank=0,
            ),
            rare(
                {"see": seeing.given(seeing.or_causal, seeing.is_padding)}, "padding masks", rank=0
            ),
            rare({"see": seeing.given(seeing.or_causal)}, "every mask", rank=0),
            rare(
                {
                    "see": seeing.given(
                        seeing.or_causal_of_mask, seeing.both(seeing.is_stacked_square, is_boolean)
                    )
                },
                "boolean square masks with leading axes",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.or_causal_of_mask, seeing.both(seeing.is_square, is_boolean)
                    )
                },
                "boolean square masks",
            ),
            rare({"see": seeing.given(seeing.or_causal, is_boolean)}, "boolean masks"),
        ),
    ),
)

"""Bugs of a mask over samples and heads, by one key, and of the form of one."""

from __future__ import annotations

from ..steps import seeing
from ..steps.seeing import is_boolean
from .entry import Entry
from .ways import GIVEN_MASK, rare, way
from .where import Value, Where

BUGS = (
    Entry(
        "mask-tiled-across-heads",
        needs=GIVEN_MASK,
        models=(
            way({"see": seeing.given(seeing.tiled_over_heads, seeing.has_four_axes)}),
            rare(
                {"see": seeing.given(seeing.repeated_over_heads_first, seeing.has_four_axes)},
                "repeated, with the heads folded in front",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.tiled_over_heads,
                        seeing.both(seeing.has_four_axes, seeing.is_padding),
                    )
                },
                "padding masks",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.tiled_over_heads, seeing.both(seeing.has_four_axes, is_boolean)
                    )
                },
                "boolean masks",
            ),
        ),
    ),
    Entry(
        "mask-batch-axis-on-heads",
        needs=GIVEN_MASK,
        models=(
            way({"see": seeing.given(seeing.batch_on_heads, seeing.has_four_axes)}),
            rare(
                {"see": seeing.given(seeing.batch_on_heads_swapped, seeing.has_four_axes)},
                "axes swapped",
                rank=0,
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.batch_on_heads, seeing.both(seeing.has_four_axes, is_boolean)
                    )
                },
                "boolean masks",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.batch_on_heads, seeing.both(seeing.has_four_axes, seeing.is_padding)
                    )
                },
                "padding masks",
            ),
        ),
        equals=("mask-missing-query-axis",),
    ),
    Entry(
        "mask-of-first-sample",
        needs=GIVEN_MASK,
        models=(
            way({"see": seeing.given(seeing.first_sample, seeing.is_stacked)}),
            rare({"see": seeing.given(seeing.first_sample, seeing.is_padding)}, "padding masks"),
            rare(
                {
                    "see": seeing.given(
                        seeing.first_sample, seeing.both(seeing.is_stacked, is_boolean)
                    )
                },
                "boolean masks",
            ),
            rare(
                {"see": seeing.given(seeing.first_sample, seeing.has_four_axes)},
                "masks with four axes",
            ),
            rare(
                {"see": seeing.given(seeing.last_sample, seeing.is_stacked)},
                "the last sample's",
                rank=2,
            ),
            rare(
                {"see": seeing.given(seeing.any_sample, seeing.is_stacked)}, "any sample's", rank=2
            ),
        ),
    ),
    Entry(
        "mask-off-by-one",
        needs=GIVEN_MASK,
        models=(
            way(
                {"see": seeing.given(seeing.lengths_changed(1), seeing.is_padding)},
                "one padding key too many",
            ),
            way(
                {"see": seeing.given(seeing.lengths_changed(-1), seeing.is_padding)},
                "one real key too few",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.lengths_changed(1), seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "one too many, boolean masks",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.lengths_changed(-1), seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "one too few, boolean masks",
            ),
            *(
                rare(
                    {"see": seeing.given(seeing.lengths_changed(by), seeing.is_one_row)},
                    f"{label}, masks of one row",
                )
                for by, label in ((1, "one too many"), (-1, "one too few"))
            ),
            rare(
                {"see": seeing.given(seeing.shifted_keys(1, True), seeing.is_padding)},
                "moved one key to the right",
            ),
            rare(
                {"see": seeing.given(seeing.shifted_keys(-1, False), seeing.is_padding)},
                "moved one key to the left",
            ),
            rare(
                {"see": seeing.given(seeing.shifted_keys(1, True))}, "every mask moved to the right"
            ),
            rare(
                {"see": seeing.given(seeing.shifted_keys(-1, False))},
                "every mask moved to the left",
            ),
        ),
    ),
    Entry("mask-wrong-form", where=Where(value=Value.RETURNED)),
)

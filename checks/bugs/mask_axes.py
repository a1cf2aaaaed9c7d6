"""Bugs of the axes that a mask is lined up with: queries for keys, squares assumed."""

from __future__ import annotations

from ..steps import seeing
from ..steps.seeing import is_boolean
from .entry import Entry
from .ways import GIVEN_MASK, rare, way

BUGS = (
    Entry(
        "mask-on-query-rows",
        needs=GIVEN_MASK,
        models=(
            way({"see": seeing.given(seeing.transposed, seeing.is_padding)}, "padding masks"),
            rare(
                {
                    "see": seeing.given(
                        seeing.transposed, seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "boolean padding masks",
            ),
            rare({"see": seeing.given(seeing.transposed)}, "every mask"),
            rare({"see": seeing.given(seeing.transposed, is_boolean)}, "boolean masks"),
            rare(
                {"see": seeing.given(seeing.transposed, seeing.is_stacked)},
                "masks with leading axes",
            ),
        ),
    ),
    Entry(
        "mask-missing-query-axis",
        needs=GIVEN_MASK,
        models=(
            way(
                {"see": seeing.given(seeing.without_query_axis, seeing.is_padding)}, "padding masks"
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.without_query_axis,
                        seeing.both(seeing.is_padding, seeing.has_three_axes),
                    )
                },
                "padding masks without a head axis",
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.without_query_axis,
                        seeing.both(seeing.is_padding, seeing.has_four_axes),
                    )
                },
                "padding masks with a head axis",
            ),
            rare(
                {"see": seeing.given(seeing.samples_as_queries, seeing.is_padding)},
                "padding masks, flattened to (B, T_k)",
                rank=0,
            ),
            rare(
                {"see": seeing.given(seeing.squeezed, seeing.is_padding)},
                "padding masks, squeezed",
                rank=0,
            ),
            rare({"see": seeing.given(seeing.squeezed)}, "every mask, squeezed"),
            rare(
                {
                    "see": seeing.given(
                        seeing.without_query_axis, seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "boolean padding masks",
            ),
            rare(
                {"see": seeing.given(seeing.without_query_axis, seeing.is_stacked)},
                "the first query's row",
                rank=2,
            ),
        ),
        equals=("mask-batch-axis-on-heads", "squeeze-drops-axes"),
    ),
    Entry(
        "mask-assumes-square",
        raises_in=("reshape", "view", "expand", "broadcast_to", "expand_as", "repeat", "tile"),
        needs=GIVEN_MASK,
        models=(
            way(
                {"see": seeing.given(seeing.square_of_queries, seeing.is_not_padding)},
                "T_q for both axes",
            ),
            rare(
                {"see": seeing.given(seeing.square_of_keys, seeing.is_not_padding)},
                "T_k for both axes",
                rank=0,
            ),
            rare(
                {"see": seeing.given(seeing.square_of_queries)},
                "T_q for both axes of every mask",
                rank=0,
            ),
            rare(
                {"see": seeing.given(seeing.square_of_keys)},
                "T_k for both axes of every mask",
                rank=0,
            ),
            rare(
                {"see": seeing.given(seeing.broadcast_square_of_queries)}, "broadcast to T_q x T_q"
            ),
            rare(
                {
                    "see": seeing.given(
                        seeing.square_of_queries, seeing.both(seeing.is_not_padding, is_boolean)
                    )
                },
                "T_q for both axes of boolean masks",
            ),
            rare(
                {"see": seeing.given(seeing.square_of_queries, seeing.is_flat)},
                "T_q for both axes of flat masks",
            ),
        ),
    ),
)

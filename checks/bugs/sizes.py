"""Bugs of sizes taken from the wrong array, and of axes that get lost."""

from __future__ import annotations

from .. import facts
from ..steps import heads, products, seeing
from .entry import Entry
from .ways import (
    ATTENDS,
    GIVEN_KEYS,
    GIVEN_KEYS_AND_VALUES,
    GIVEN_VALUES,
    HAS_SCORES,
    HEADED,
    PROJECTS,
    RETURNS_ATTENDED,
    RETURNS_MASK,
    RETURNS_SCORES,
    RETURNS_WEIGHTS,
    rare,
    way,
)

BUGS = (
    Entry(
        "length-from-query",
        raises_in=("reshape", "view", "expand", "broadcast_to", "zeros", "range"),
        models=(
            way({"score": products.keys_with_query_length}, needs=GIVEN_KEYS_AND_VALUES),
            rare(
                {"score": products.scores_in_square_buffer}, "a T_q x T_q buffer", needs=GIVEN_KEYS
            ),
            rare({"score": products.keys_cut_to_queries}, "keys cut", needs=GIVEN_KEYS_AND_VALUES),
            rare(
                {"score": products.keys_as_long_as_queries},
                "a loop of T_q over the keys",
                needs=GIVEN_KEYS,
            ),
            rare(
                {"apply": products.values_as_long_as_queries},
                "a loop of T_q over the values",
                needs=GIVEN_VALUES,
            ),
            rare(
                {"apply": products.rows_into_buffer_like_values},
                "a buffer like V",
                needs=GIVEN_VALUES,
            ),
            rare({"apply": products.values_with_query_length}, "the values only"),
            rare({"apply": products.values_cut_to_queries}, "values cut", rank=2),
            rare(
                {"score": products.keys_alone_with_query_length}, "the keys only", needs=GIVEN_KEYS
            ),
        ),
    ),
    Entry(
        "value-width-assumed",
        raises_in=("reshape", "view", "expand", "broadcast_to", "zeros_like", "empty_like"),
        models=(
            way(
                {"apply": products.into_buffer_like("Q")},
                "a buffer like Q",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare(
                {"apply": products.reshaped_like_queries},
                "reshaped like Q",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare(
                {"apply": products.values_with_query_width},
                "values reshaped to Q's width",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare(
                {"apply": products.first_columns_of_values},
                "d_k columns of V",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare(
                {"apply": products.as_many_columns_as_values},
                "T_k columns of V",
                needs=GIVEN_VALUES,
            ),
            rare({"apply": products.into_square_buffer}, "a buffer like the weights"),
        ),
    ),
    Entry(
        "squeeze-drops-axes",
        shown_by=facts.squeezes,
        raises_in=("squeeze",),
        models=(
            way({"finish": products.squeezed("attended")}, "the output", needs=RETURNS_ATTENDED),
            way(
                {"finish": products.squeezed("attended", "weights")},
                "both results",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            way(
                {"finish": products.squeezed("weights")},
                "the weights",
                rank=1,
                needs=RETURNS_WEIGHTS,
            ),
            way({"finish": products.squeezed("scores")}, "the scores", needs=RETURNS_SCORES),
            way({"finish": products.squeezed("output")}, "the output", needs=PROJECTS),
            way({"finish": products.squeezed("closed")}, "the mask", rank=1, needs=RETURNS_MASK),
            rare({"score": products.scores_squeezed}, "the scores on the way", needs=ATTENDS),
            rare({"score": products.keys_squeezed}, "the keys on the way", needs=HAS_SCORES),
            rare(
                {"see": seeing.given(seeing.squeezed)},
                "the mask on the way",
                rank=3,
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare({"join": heads.join_squeezed}, "the heads on the way", needs=HEADED),
            *(
                rare({"finish": products.squeezed_in_front(fewest)}, "axis 0 of the result")
                for fewest in (3, 2)
            ),
        ),
        equals=("mask-missing-query-axis",),
    ),
    Entry("view-on-transposed", says=("view size is not compatible",)),
)

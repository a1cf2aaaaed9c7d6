"""Bugs of sizes taken from the wrong array, and of axes that get lost."""

from __future__ import annotations

from ..steps import heads, products, seeing
from .entry import Entry
from .ways import APPLY, CLASSES, GIVEN, HEADS, SCORES, way

BUGS = (
    Entry(
        "length-from-query",
        models=(
            way({"score": products.keys_with_query_length}, only=GIVEN),
            way(
                {"score": products.scores_in_square_buffer},
                "a T_q x T_q buffer",
                rank=1,
                paired=False,
                only=GIVEN | SCORES,
            ),
            way(
                {"score": products.keys_cut_to_queries},
                "keys cut",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"score": products.keys_as_long_as_queries},
                "a loop of T_q over the keys",
                rank=1,
                paired=False,
                only=GIVEN | SCORES,
            ),
            way(
                {"apply": products.values_as_long_as_queries},
                "a loop of T_q over the values",
                rank=1,
                paired=False,
                only=GIVEN | APPLY,
            ),
            way(
                {"apply": products.rows_into_buffer_like_values},
                "a buffer like V",
                rank=1,
                paired=False,
                only=GIVEN | APPLY,
            ),
            way(
                {"apply": products.values_with_query_length},
                "the values only",
                rank=1,
                paired=False,
            ),
            way({"apply": products.values_cut_to_queries}, "values cut", rank=2, paired=False),
            way(
                {"score": products.keys_alone_with_query_length},
                "the keys only",
                rank=1,
                paired=False,
                only=GIVEN | SCORES,
            ),
        ),
    ),
    Entry(
        "value-width-assumed",
        models=(
            way({"apply": products.into_buffer_like("Q")}, "a buffer like Q", only=GIVEN),
            way(
                {"apply": products.reshaped_like_queries},
                "reshaped like Q",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"apply": products.values_with_query_width},
                "values reshaped to Q's width",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"apply": products.first_columns_of_values},
                "d_k columns of V",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"apply": products.as_many_columns_as_values},
                "T_k columns of V",
                rank=1,
                paired=False,
                only=GIVEN | APPLY,
            ),
            way(
                {"apply": products.into_square_buffer},
                "a buffer like the weights",
                rank=1,
                paired=False,
            ),
        ),
    ),
    Entry(
        "squeeze-drops-axes",
        models=(
            way(
                {"finish": products.squeezed("attended")},
                "the output",
                only=GIVEN | frozenset({"apply_attention"}),
            ),
            way({"finish": products.squeezed("attended", "weights")}, "both results", only=GIVEN),
            way(
                {"finish": products.squeezed("weights")},
                "the weights",
                rank=1,
                only=GIVEN | frozenset({"softmax"}),
            ),
            way({"finish": products.squeezed("scores")}, "the scores", only=SCORES),
            way({"finish": products.squeezed("output")}, "the output", only=CLASSES),
            way(
                {"finish": products.squeezed("closed")},
                "the mask",
                rank=1,
                only=frozenset({"causal_mask"}),
            ),
            way(
                {"score": products.scores_squeezed},
                "the scores on the way",
                rank=1,
                paired=False,
                only=GIVEN | CLASSES,
            ),
            way(
                {"score": products.keys_squeezed},
                "the keys on the way",
                rank=1,
                paired=False,
                only=GIVEN | CLASSES | SCORES,
            ),
            way(
                {"see": seeing.given(seeing.squeezed)},
                "the mask on the way",
                rank=3,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"join": heads.join_squeezed},
                "the heads on the way",
                rank=1,
                paired=False,
                only=HEADS,
            ),
            *(
                way(
                    {"finish": products.squeezed_in_front(fewest)},
                    "axis 0 of the result",
                    rank=1,
                    paired=False,
                )
                for fewest in (3, 2)
            ),
        ),
        equals=("mask-missing-query-axis",),
    ),
    Entry("view-on-transposed", says=("view size is not compatible",)),
)

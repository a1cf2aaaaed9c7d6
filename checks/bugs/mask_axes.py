"""Bugs of the axes that a mask is lined up with: queries for keys, squares assumed."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import seeing
from ..steps.seeing import is_boolean
from . import reading
from .ways import (
    GIVEN,
    way,
)

BUGS = (
    Bug(
        card=Card(
            id="mask-on-query-rows",
            family="mask",
            title="a padding mask on the query rows",
            does=(
                "Lines the padding mask up with the queries, so that padding rows are blocked "
                "instead of padding keys."
            ),
            example=(
                "scores       [[0, 2], [0, 2]]\n"
                "real tokens  [True, False]\n"
                "right        [[1, 0], [1, 0]]\n"
                "this bug     [[0.12, 0.88], [0.50, 0.50]]"
            ),
            hurts=(
                "Real tokens still attend to the padding, which is what the mask was for. "
                "Meanwhile the rows of padding tokens, which nobody reads, become uniform or NaN."
            ),
            fix=(
                "A padding mask says which keys exist. Its length axis has to meet the last axis "
                "of the scores."
            ),
            hints=(
                "Is it a row or a column of your weights that becomes empty?",
                "Padding is about what may be looked at: the keys, the last axis.",
                (
                    "Look at where the axis of length 1 is put into the mask: mask[:, None, :] "
                    "and mask[:, :, None] are different masks."
                ),
            ),
            read=(reading.T_MHA, reading.NP_BROADCAST),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.transposed, seeing.is_padding)},
                "padding masks",
                only=GIVEN,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.transposed, seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "boolean padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.transposed)},
                "every mask",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.transposed, is_boolean)},
                "boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.transposed, seeing.is_stacked)},
                "masks with leading axes",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-missing-query-axis",
            family="mask",
            title="a per-sample mask without a query axis",
            does=(
                "Broadcasts a (B, T) or (B, 1, T) mask as if it were (T_q, T_k), so its sample "
                "axis meets the queries or the heads."
            ),
            example=(
                "real tokens      [[True, True], [True, False]]\n"
                "right, sample 0  [[0.50, 0.50], [0.50, 0.50]]\n"
                "right, sample 1  [[1, 0], [1, 0]]\n"
                "bug, sample 0    [[0.50, 0.50], [1.00, 0.00]]\n"
                "bug, sample 1    [[0.50, 0.50], [1.00, 0.00]]"
            ),
            hurts=(
                "It raises unless the sizes happen to be equal. Where they are, sample b's mask "
                "lands on query b of every sample: wrong numbers without a word."
            ),
            fix=(
                "Give the mask an axis of length 1 for each axis that it does not distinguish: "
                "queries, and heads where there are any."
            ),
            hints=(
                (
                    "Write the shapes of the scores and of the mask under each other, aligned at "
                    "the right. What meets what?"
                ),
                "(B, T_k) has to become (B, 1, T_k), and (B, 1, 1, T_k) with heads.",
                "Look at indexing with None (torch: unsqueeze) before the mask meets the scores.",
            ),
            read=(reading.NP_BROADCAST, reading.T_SDPA),
            equals=("mask-batch-axis-on-heads", "squeeze-drops-axes"),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.without_query_axis, seeing.is_padding)},
                "padding masks",
                only=GIVEN,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.without_query_axis,
                        seeing.both(seeing.is_padding, seeing.has_three_axes),
                    )
                },
                "padding masks without a head axis",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.without_query_axis,
                        seeing.both(seeing.is_padding, seeing.has_four_axes),
                    )
                },
                "padding masks with a head axis",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.samples_as_queries, seeing.is_padding)},
                "padding masks, flattened to (B, T_k)",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.squeezed, seeing.is_padding)},
                "padding masks, squeezed",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.squeezed)},
                "every mask, squeezed",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.without_query_axis, seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "boolean padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.without_query_axis, seeing.is_stacked)},
                "the first query's row",
                rank=2,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-assumes-square",
            family="mask",
            title="a mask with one length for both axes",
            does=(
                "Reshapes or slices the mask with a single length for both axes, although T_q and "
                "T_k can differ."
            ),
            example=(
                "scores, shape  (1, 3)\n"
                "mask, shape    (1, 3)\n"
                "reshaped to    (1, 1)\n"
                "this bug       ValueError"
            ),
            hurts=(
                "Self-attention has T_q = T_k and never shows it. With a single new query over "
                "many keys (as in generating text with a cache), or between two sequences, it "
                "raises or cuts the mask short."
            ),
            fix=(
                "Take the two lengths apart: T_q from the queries, T_k from the keys. Broadcasting "
                "usually makes the reshape unnecessary."
            ),
            hints=(
                "What is the shape of the mask for one query and three keys?",
                "The scores are (T_q, T_k). Which of your lines assumes that the two are equal?",
                "Look at reshape, view or slices of the mask: the last size should be K.shape[-2].",
            ),
            read=(reading.NP_BROADCAST, reading.T_SDPA),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.square_of_queries, seeing.is_not_padding)},
                "T_q for both axes",
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.square_of_keys, seeing.is_not_padding)},
                "T_k for both axes",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.square_of_queries)},
                "T_q for both axes of every mask",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.square_of_keys)},
                "T_k for both axes of every mask",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.broadcast_square_of_queries)},
                "broadcast to T_q x T_q",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.square_of_queries, seeing.both(seeing.is_not_padding, is_boolean)
                    )
                },
                "T_q for both axes of boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.square_of_queries, seeing.is_flat)},
                "T_q for both axes of flat masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
)

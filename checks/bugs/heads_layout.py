"""Bugs of splitting a projection into heads and of joining them."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import heads
from . import reading
from .ways import HEADS, every_order, way

BUGS = (
    Bug(
        card=Card(
            id="heads-split-by-reshape",
            family="projections and heads",
            title="heads split by a single reshape",
            does="Reshapes (B, T, D) directly to (B, h, T, d_k), which mixes tokens and columns.",
            example=(
                "tokens            [[1, 2, 3, 4], [5, 6, 7, 8]]\n"
                "head 0, right     [[1, 2], [5, 6]]\n"
                "head 0, this bug  [[1, 2], [3, 4]]"
            ),
            hurts=(
                "A reshape keeps the numbers in order. The first head then holds the first tokens "
                "with all their columns, not all tokens with its own columns: tokens are torn "
                "apart, and a causal mask no longer guards what it should."
            ),
            fix=(
                "Split the last axis into (h, d_k) first, which is safe, and then move the head "
                "axis in front of the tokens."
            ),
            hints=(
                "Does head 0 contain a piece of every token?",
                "Two steps: cut the columns into heads, then swap two axes.",
                (
                    "Look at the shape you reshape to: T must stay where it is, followed by h and "
                    "d_k; a swap comes after it."
                ),
            ),
            read=(reading.HEADS, reading.NP_RESHAPE),
            no_model="",
        ),
        models=(
            way({"split": heads.split_by_reshape()}, only=HEADS),
            *(
                way(
                    {"split": heads.split_by_reshape(names)},
                    f"{names} only",
                    only=HEADS,
                    rank=1,
                    paired=False,
                )
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
        ),
    ),
    Bug(
        card=Card(
            id="heads-merged-by-reshape",
            family="projections and heads",
            title="heads joined without moving the axis back",
            does="Flattens (h, T, d_k) to (T, D) without first moving the heads behind the tokens.",
            example=(
                "head 0    [[1, 2], [5, 6]]\n"
                "head 1    [[3, 4], [7, 8]]\n"
                "right     [[1, 2, 3, 4], [5, 6, 7, 8]]\n"
                "this bug  [[1, 2, 5, 6], [3, 4, 7, 8]]"
            ),
            hurts=(
                "Row 0 of the result then holds pieces of several tokens of one head, instead of "
                "all heads of one token. Information moves between positions, past the causal "
                "mask."
            ),
            fix=(
                "Undo the split in reverse: swap the head axis back behind the tokens, then "
                "flatten the last two axes."
            ),
            hints=(
                "Does row 0 of your result contain only things that belong to token 0?",
                'The split was "reshape, then swap". What is its mirror image?',
                "Look for the swap of the head and token axes before the last reshape.",
            ),
            read=(reading.HEADS, reading.NP_RESHAPE),
            equals=("heads-merged-wrong-order",),
            no_model="",
        ),
        models=(way({"join": heads.join_permuted((0, 1, 2, 3))}, only=HEADS),),
    ),
    Bug(
        card=Card(
            id="heads-split-and-merged-by-reshape",
            family="projections and heads",
            title="heads split and joined by reshape alone",
            does="Splits and joins the heads by reshape alone, without ever swapping axes.",
            example=(
                "tokens    [[1, 2, 3, 4], [5, 6, 7, 8]]\n"
                "right     [[3, 4, 5, 6], [3, 4, 5, 6]]\n"
                "this bug  [[2, 3, 2, 3], [6, 7, 6, 7]]"
            ),
            hurts=(
                'The two mistakes undo each other in shape, so everything fits. But each "head" '
                "sees a few whole tokens cut into pieces, and most tokens never meet each other."
            ),
            fix="Swap the head and token axes after the split, and swap them back before the join.",
            hints=(
                "Which tokens can token 0 attend to in your head 0?",
                "A reshape alone never moves a number. The heads need a swap, twice.",
                (
                    "Look at both reshapes: behind the first and before the second belongs a "
                    "swapaxes (torch: transpose)."
                ),
            ),
            read=(reading.HEADS, reading.NP_SWAPAXES),
            no_model="",
        ),
        models=(
            way(
                {"split": heads.split_by_reshape(), "join": heads.join_permuted((0, 1, 2, 3))},
                only=HEADS,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="heads-interleaved",
            family="projections and heads",
            title="heads take every h-th column",
            does=(
                "Gives head i the columns i, i + h, i + 2h ... where it should own a block of "
                "neighbouring columns."
            ),
            example=(
                "token     [1, 2, 3, 4]\nright     [[1, 2], [3, 4]]\nthis bug  [[1, 3], [2, 4]]"
            ),
            hurts=(
                "A model trained this way works, for the matrices can learn any order. But it does "
                "not agree with the contract, nor with trained weights of others: loaded into this "
                "code, their heads are shuffled."
            ),
            fix=(
                "Split the last axis into h groups of d_k neighbours: heads first, then the "
                "columns within a head."
            ),
            hints=(
                "Which columns does your head 0 own, for h = 2 and D = 4?",
                "Head i owns the columns i * d_k up to (i + 1) * d_k.",
                "Look at the order of h and d_k in the reshape, or at a slice with a step.",
            ),
            read=(reading.HEADS, reading.NP_RESHAPE),
            no_model="",
        ),
        models=(
            way(
                {"split": heads.split_interleaved(), "join": heads.join_permuted((0, 2, 3, 1))},
                "and joined the same way",
                only=HEADS,
            ),
            way({"split": heads.split_interleaved()}, "joined in order", only=HEADS),
            *(
                way(
                    {"split": heads.split_interleaved(names)},
                    f"{names} only",
                    only=HEADS,
                    rank=1,
                    paired=False,
                )
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
            way(
                {"split": heads.split_d_k_first, "join": heads.join_d_k_first},
                "as many heads as d_k",
                only=HEADS,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="heads-merged-wrong-order",
            family="projections and heads",
            title="axes in another order on the way out",
            does=(
                "Joins the heads with the axes in another order than they were split, so columns "
                "end up shuffled."
            ),
            example=("heads     [[1, 2], [3, 4]]\nright     [1, 2, 3, 4]\nthis bug  [1, 3, 2, 4]"),
            hurts=(
                "W_o then meets each column in the wrong place. A model trained from scratch "
                "adapts; with loaded weights its output is nonsense."
            ),
            fix="On the way out, the last two axes before flattening must be heads, then d_k.",
            hints=(
                "For heads [1, 2] and [3, 4]: is your joined row 1 2 3 4?",
                (
                    "The order of the axes before the last reshape decides which numbers become "
                    "neighbours."
                ),
                "Look at transpose or permute before the join: tokens, heads, d_k.",
            ),
            read=(reading.HEADS, reading.NP_RESHAPE),
            equals=("heads-merged-by-reshape",),
            no_model="",
        ),
        models=(
            *(
                way(
                    {"join": heads.join_permuted(order)},
                    f"axes {order}",
                    only=HEADS,
                    rank=rank,
                    paired=rank == 0,
                )
                for order, rank in every_order()
            ),
            way(
                {"join": heads.join_reversed},
                "the last head first",
                only=HEADS,
                rank=1,
                paired=False,
            ),
        ),
    ),
)

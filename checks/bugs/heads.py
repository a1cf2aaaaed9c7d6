"""Bugs of how many heads there are, and of what each of them sees."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import heads
from . import reading
from .ways import HEADS, way

BUGS = (
    Bug(
        card=Card(
            id="heads-projection-shared",
            family="projections and heads",
            title="one small projection for every head",
            does="Projects once to d_k columns and uses the result in every head.",
            example=(
                "x                [1, 2, 3, 4]\n"
                "heads, right     [[1, 2], [3, 4]]\n"
                "heads, this bug  [[1, 2], [1, 2]]"
            ),
            hurts=(
                "All heads compute the same thing, so h heads are worth one. More heads cost time "
                "and bring nothing."
            ),
            fix="Project to the full width D, and give every head its own block of the columns.",
            hints=(
                "Are your heads' weights all equal?",
                "W_q is (D, D). How many of its columns do you use?",
                "Look at the slice of W_q, W_k and W_v: does it depend on the head's number?",
            ),
            read=(reading.HEADS, reading.ANNOTATED),
            equals=("heads-only-first",),
            no_model="",
        ),
        models=(
            way({"project": heads.one_block_for_all(0)}, only=HEADS),
            way({"project": heads.one_square_for_all}, "each head's own slice of x", only=HEADS),
            way(
                {"project": heads.one_block_for_all(-1)},
                "the last block",
                only=HEADS,
                rank=1,
                paired=False,
            ),
            *(
                way(
                    {"project": heads.one_block_for_all(0, names)},
                    f"{names} only",
                    only=HEADS,
                    rank=1,
                    paired=False,
                )
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
            way(
                {"project": heads.own_square_per_head},
                "each head's own slice of x and block of W",
                only=HEADS,
                rank=2,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="heads-averaged",
            family="projections and heads",
            title="heads averaged instead of joined",
            does="Averages (or adds) the heads where they should be put side by side.",
            example=("heads     [[1, 2], [3, 4]]\nright     [1, 2, 3, 4]\nthis bug  [2, 3]"),
            hurts=(
                "What the heads found is blurred into one vector of width d_k, and W_o can no "
                "longer tell them apart."
            ),
            fix=(
                "Concatenate the heads along the last axis, in order, so that the width is D again."
            ),
            hints=(
                "How wide is the result of your heads before W_o?",
                "Joining keeps all numbers; averaging keeps one of h.",
                (
                    "Look at mean or sum over the head axis; concatenate (torch: cat) or a swap "
                    "and reshape is meant."
                ),
            ),
            read=(reading.HEADS, reading.ANNOTATED),
            no_model="",
        ),
        models=(
            way({"join": heads.averaged_and_tiled}, only=HEADS),
            way(
                heads.reduced_through_first_rows("mean"),
                "through the first rows of W_o",
                only=HEADS,
            ),
            way({"join": heads.summed_and_tiled}, "summed", only=HEADS, rank=1),
            way(
                heads.reduced_through_first_rows("sum"),
                "summed, through the first rows of W_o",
                only=HEADS,
                rank=1,
                paired=False,
            ),
            way(
                {"join": heads.averaged_and_repeated},
                "each number repeated",
                only=HEADS,
                rank=1,
                paired=False,
            ),
            way(
                {"join": heads.averaged_in_front},
                "padded with zeros",
                only=HEADS,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="heads-only-first",
            family="projections and heads",
            title="only one head is used",
            does="Uses the result of one head and leaves the others out (or repeats the one).",
            example=("heads     [[1, 2], [3, 4]]\nright     [1, 2, 3, 4]\nthis bug  [1, 2, 1, 2]"),
            hurts=(
                "The model pays for h heads and has one. Previous-token heads, induction heads and "
                "all that needs several views at once cannot be learnt side by side."
            ),
            fix="Use every head's result, joined in order.",
            hints=(
                "Does your output change when you change the columns of the last head?",
                (
                    "A loop that returns in its first round, or overwrites its result, leaves one "
                    "head."
                ),
                "Look at [0], at a return inside the loop, and at what the loop collects.",
            ),
            read=(reading.HEADS, reading.CIRCUITS),
            equals=("heads-projection-shared",),
            no_model="",
        ),
        models=(
            way({"join": heads.only_head(0, padded=True)}, only=HEADS),
            way({"join": heads.only_head(0, padded=False)}, "repeated", only=HEADS),
            way(
                heads.reduced_through_first_rows("first"),
                "through the first rows of W_o",
                only=HEADS,
            ),
            way({"join": heads.only_head(-1, padded=True)}, "the last one", only=HEADS, rank=1),
            way(
                {"join": heads.only_head(-1, padded=False)},
                "the last one, repeated",
                only=HEADS,
                rank=1,
                paired=False,
            ),
            way(
                {"join": heads.head_in_front(-1)},
                "the last one, in front",
                only=HEADS,
                rank=1,
                paired=False,
            ),
            way(
                heads.reduced_through_first_rows("last"),
                "the last one, through the first rows of W_o",
                only=HEADS,
                rank=1,
                paired=False,
            ),
            way(
                {"normalise": heads.weights_of_first_head},
                "its weights for all heads",
                only=HEADS,
                rank=2,
                paired=False,
            ),
            way(
                {"split": heads.not_split, "join": heads.join_single},
                "one head over the whole width",
                only=HEADS,
                rank=1,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="heads-not-dividing",
            family="projections and heads",
            title="a width that the heads do not divide",
            does="Accepts a d_model that num_heads does not divide, and rounds d_k down.",
            example=(
                "d_model                 10\n"
                "num_heads               3\n"
                "d_model // num_heads    3\n"
                "columns in a head       9\n"
                "reshaping 10 to (3, 3)  ValueError"
            ),
            hurts=(
                "Some columns belong to no head and are lost, or the first reshape raises with a "
                "message about sizes that explains nothing."
            ),
            fix=(
                "Check it in the constructor and raise ValueError, with both numbers in the "
                "message."
            ),
            hints=(
                "What is 10 // 3, and how many columns are left over?",
                "The remainder of d_model by num_heads must be 0. Say so early.",
                "Look at the constructor: the operator % and raise ValueError(...).",
            ),
            read=(reading.HEADS, reading.PY_ERRORS),
            no_model=(
                "A width that the heads do not divide has no right numbers; "
                "that it is accepted is the bug."
            ),
        ),
        models=(),
    ),
)

"""Bugs of the axis that softmax sums over."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps.softmaxes import (
    all_but_first,
    along,
    as_one_column,
    behind_axis_0,
    by_full_transpose,
    no_shift,
    normalise_along,
    normalise_placed,
    shift_along,
    softmax_along,
    softmax_placed,
)
from . import reading
from .ways import NOT_IN_HEADS, way

BUGS = (
    Bug(
        card=Card(
            id="softmax-over-queries",
            family="softmax",
            title="softmax over the queries",
            does="Normalises over the query axis, so that columns sum to 1 instead of rows.",
            example=(
                "scores        [[0, 2], [0, 0]]\n"
                "right         [[0.12, 0.88], [0.50, 0.50]]\n"
                "this bug      [[0.50, 0.88], [0.50, 0.12]]\n"
                "its row sums  [1.38, 0.62]  # each should be 1"
            ),
            hurts=(
                "A row of weights says how one query shares its attention among the keys. With "
                "this bug the queries compete for each key instead, so some tokens receive far too "
                "much and others almost nothing. Worse, a token's output then depends on what "
                "later tokens ask, so information leaks from the future even under a causal mask."
            ),
            fix=(
                "Decide in words first: for each query, over all keys. The keys are the last axis "
                "of the scores, so both the maximum and the sum run along that axis."
            ),
            hints=(
                "If you add up one row of your weights, do you get 1? And one column?",
                "Softmax shares attention among the keys. Which axis of (T_q, T_k) holds the keys?",
                (
                    "Look at axis= (torch: dim=) in the maximum and in the sum; counted from the "
                    "end, the keys come first."
                ),
            ),
            read=(reading.ATTENTION, reading.NP_REDUCE),
            equals=("softmax-over-batch", "softmax-axis-hard-coded", "softmax-no-keepdims"),
            star=True,
            no_model="",
        ),
        models=(
            way(softmax_along(-2)),
            way({"normalise": normalise_along(along(-2))}, "the sum only"),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(-2))},
                "no shift",
                rank=2,
                paired=False,
            ),
            way(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along(-2))},
                "one maximum for all",
                rank=2,
                paired=False,
            ),
            way(
                {"shift": shift_along(along((-2, -1))), "normalise": normalise_along(along(-2))},
                "one maximum per matrix",
                rank=2,
                paired=False,
            ),
            way({"shift": shift_along(along(-2))}, "the maximum only", rank=3, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-over-batch",
            family="softmax",
            title="softmax over the batch",
            does=(
                "Normalises over axis 0 of a stack, so that samples or heads compete with each "
                "other; a lone sample gets all ones."
            ),
            example=(
                "one sample  [[[0, 2], [1, 1]]]\n"
                "right       [[[0.12, 0.88], [0.50, 0.50]]]\n"
                "this bug    [[[1, 1], [1, 1]]]  # each alone on axis 0"
            ),
            hurts=(
                "The weights of one sentence then depend on which other sentences share its batch, "
                "and with a batch of one every weight is 1, so each output is just the sum of all "
                "values. The training loss may still fall, but the model answers differently for "
                "another batch size."
            ),
            fix="Count the axis from the end. The keys are last, whatever stands in front of them.",
            hints=(
                "What are your weights for a batch of one? Why would each of them be 1?",
                "axis 0 means the rows of a matrix, but the samples of a stack.",
                (
                    "Look at axis= in the maximum and the sum: negative numbers count from the "
                    "end and do not mind a batch."
                ),
            ),
            read=(reading.ATTENTION, reading.NP_REDUCE),
            equals=("softmax-over-queries", "softmax-axis-hard-coded"),
            star=True,
            no_model="",
        ),
        models=(
            way(softmax_along(0), rank=1),
            way({"normalise": normalise_along(along(0))}, "the sum only", rank=1),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(0))},
                "no shift",
                rank=3,
                paired=False,
            ),
            way(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along(0))},
                "one maximum for all",
                rank=3,
                paired=False,
            ),
            way(
                softmax_along(1),
                "axis 1: the heads",
                rank=2,
                only=frozenset({"MultiHeadAttention"}),
            ),
            way(
                {"normalise": normalise_along(along(1))},
                "axis 1, the sum only",
                rank=3,
                paired=False,
                only=frozenset({"MultiHeadAttention"}),
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-axis-hard-coded",
            family="softmax",
            title="an axis for one number of dimensions only",
            does=(
                "Names the axis by its number from the front, which is right for a matrix or for a "
                "stack, but not for both."
            ),
            example=(
                "matrix            [[0, 2], [1, 1]]\n"
                "axis=1 gives      [[0.12, 0.88], [0.50, 0.50]]\n"
                "stack of one      [[[0, 2], [1, 1]]]\n"
                "axis=1 now gives  [[[0.27, 0.73], [0.73, 0.27]]]  # columns!"
            ),
            hurts=(
                "The function passes its first test and then breaks silently inside a model, where "
                "the scores have a batch and a head axis in front: the same number now means "
                "queries, or heads."
            ),
            fix='Say "the last axis" in a way that stays true when axes are added in front.',
            hints=(
                (
                    "Your function is right for one number of dimensions. What changes when a "
                    "batch axis is put in front?"
                ),
                (
                    "Counting from the front, the key axis is 1, 2 or 3. Counting from the end it "
                    "never moves."
                ),
                "Look at each axis= (torch: dim=) that holds 1, 2 or 3, and count it from the end.",
            ),
            read=(reading.NP_REDUCE, reading.T_SOFTMAX),
            equals=("softmax-over-queries", "softmax-over-batch"),
            star=True,
            no_model="",
        ),
        models=(
            way(softmax_along(1), "axis 1", rank=2, only=NOT_IN_HEADS),
            way(softmax_along(2), "axis 2", rank=2, only=NOT_IN_HEADS),
            way(softmax_along(3), "axis 3", rank=2, only=NOT_IN_HEADS),
            way(
                {"normalise": normalise_along(along(1))},
                "axis 1, the sum only",
                rank=2,
                only=NOT_IN_HEADS,
            ),
            way(
                {"normalise": normalise_along(along(2))},
                "axis 2, the sum only",
                rank=2,
                only=NOT_IN_HEADS,
            ),
            way(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along(1))},
                "axis 1, one maximum for all",
                rank=3,
                paired=False,
                only=NOT_IN_HEADS,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(1))},
                "axis 1, no shift",
                rank=3,
                paired=False,
                only=NOT_IN_HEADS,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(2))},
                "axis 2, no shift",
                rank=3,
                paired=False,
                only=NOT_IN_HEADS,
            ),
            way(
                {"shift": shift_along(along(1))},
                "axis 1, the maximum only",
                rank=3,
                paired=False,
                only=NOT_IN_HEADS,
            ),
            way({"shift": shift_along(along(0))}, "axis 0, the maximum only", rank=3, paired=False),
            way(
                softmax_along(all_but_first),
                "a loop over axis 0",
                rank=2,
                paired=False,
                only=NOT_IN_HEADS,
            ),
            way(
                {"normalise": normalise_along(all_but_first)},
                "a loop over axis 0, the sum only",
                rank=2,
                paired=False,
                only=NOT_IN_HEADS,
            ),
            *(
                way(replaces, label, rank=2, paired=False, only=NOT_IN_HEADS)
                for place, name in (
                    (as_one_column(1), "axis 1 as one column"),
                    (as_one_column(-1), "the sums as one column"),
                    (behind_axis_0(1), "axis 1, a new axis behind the first"),
                    (behind_axis_0(-1), "a new axis behind the first"),
                    (by_full_transpose(1), "axis 1, through .T"),
                    (by_full_transpose(-1), "through .T"),
                )
                for replaces, label in (
                    (softmax_placed(place), name),
                    ({"normalise": normalise_placed(place)}, f"{name}, the sum only"),
                    (
                        {"shift": no_shift, "normalise": normalise_placed(place)},
                        f"{name}, no shift",
                    ),
                    (
                        {"shift": shift_along(along(None)), "normalise": normalise_placed(place)},
                        f"{name}, one maximum for all",
                    ),
                )
            ),
        ),
    ),
)

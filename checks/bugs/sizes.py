"""Bugs of sizes taken from the wrong array, and of axes that get lost."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import heads, products, seeing
from . import reading
from .ways import APPLY, CLASSES, GIVEN, HEADS, SCORES, way

BUGS = (
    Bug(
        card=Card(
            id="length-from-query",
            family="products",
            title="one length for queries and keys",
            does="Gives K or V the query's length, although there can be another number of keys.",
            example=(
                "Q, shape         (1, 4)\nK, shape         (3, 4)\nK.reshape(1, 4)  ValueError"
            ),
            hurts=(
                "Self-attention never shows it. With a cache of earlier keys, or when one sequence "
                "attends to another, it raises, or it cuts keys off."
            ),
            fix="Read T_q off Q and T_k off K, and use each where it belongs.",
            hints=(
                "What happens with one query and three keys?",
                "Which of your lines take a size from Q and use it for K or V?",
                "Look at Q.shape in reshape, view, zeros and range.",
            ),
            read=(reading.NP_SHAPE, reading.T_SDPA),
            star=True,
            no_model="",
        ),
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
    Bug(
        card=Card(
            id="value-width-assumed",
            family="products",
            title="the output gets the width of Q",
            does=(
                "Gives the output the width of the queries, although values can have another width."
            ),
            example=(
                "weights   [[0.50, 0.50]]\n"
                "V         [[1, 2, 3], [3, 4, 5]]\n"
                "right     [[2, 3, 4]]\n"
                "this bug  [[2, 3]]"
            ),
            hurts=(
                "Where d_v equals d_k nobody notices. Elsewhere it raises, or the last columns of "
                "the values are lost."
            ),
            fix="The width of the output is the width of V.",
            hints=(
                "For V of width 3 and Q of width 2: how wide is the output?",
                "(T_q, T_k) times (T_k, d_v) gives (T_q, d_v). There is no d_k in it.",
                (
                    "Look at where the output's array is made, or at a reshape at the end: use "
                    "V.shape[-1]."
                ),
            ),
            read=(reading.ATTENTION, reading.NP_MATMUL),
            star=True,
            no_model="",
        ),
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
    Bug(
        card=Card(
            id="squeeze-drops-axes",
            family="products",
            title="squeeze removes an axis of length 1",
            does=(
                "Squeezes all axes of length 1 away, also those that are a batch of one or a "
                "sequence of one token."
            ),
            example=("scores, shape  (1, 1, 3)\nright          (1, 1, 3)\nsqueezed       (3,)"),
            hurts=(
                "All works until the first batch of one or the first generated token. Then the "
                "shape has lost an axis and the next line raises, or broadcasts into something "
                "else."
            ),
            fix="Remove only the axis that you added yourself, by its number; or do not add one.",
            hints=(
                "What is the shape of your result for a batch of one?",
                "squeeze without an axis removes every axis of length 1 that it finds.",
                "Look at squeeze(): it takes the axis as an argument.",
            ),
            read=(reading.NP_SQUEEZE, reading.NP_BROADCAST),
            equals=("mask-missing-query-axis",),
            star=True,
            no_model="",
        ),
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
    ),
    Bug(
        card=Card(
            id="view-on-transposed",
            family="products",
            title="view after transpose",
            does=(
                "Calls view on a transposed tensor, whose numbers no longer lie in memory in the "
                "order that view needs."
            ),
            example=(
                "transposed    (3, 2, 4)\n"
                "wanted        (3, 8)\n"
                "strides, now  (4, 12, 1)  # steps in memory\n"
                ".view(3, 8)   RuntimeError"
            ),
            hurts=(
                "PyTorch raises a RuntimeError. It is an honest error; the danger lies in the "
                "cure, when the transpose is dropped to make the message go away and the heads are "
                "joined in the wrong order."
            ),
            fix="Keep the transpose and let the tensor be copied into the new order.",
            hints=(
                "Which of your tensors has had its axes swapped just before view?",
                "view never moves numbers, and after a transpose they would have to be moved.",
                "Look at contiguous() before view, or at reshape in its place.",
            ),
            read=(reading.T_VIEWS, reading.T_RESHAPE),
            star=True,
            no_model="It raises in torch alone, and is told by what the exception says.",
        ),
        models=(),
    ),
)

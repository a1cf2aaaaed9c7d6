"""Bugs of the two products of attention: what is multiplied with what."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import heads, products, seeing
from . import reading
from .ways import APPLY, GIVEN, HEADS, SCORES, SINGLE, way

BUGS = (
    Bug(
        card=Card(
            id="weights-transposed",
            family="products",
            title="transposed weights",
            does=(
                "Mixes the values with the transposed weights, so that queries and keys change "
                "places."
            ),
            example=(
                "weights   [[1.00, 0.00], [0.50, 0.50]]\n"
                "V         [[10], [20]]\n"
                "right     [[10], [15]]\n"
                "this bug  [[20], [10]]"
            ),
            hurts=(
                "Row i of the weights says how query i mixes the values. Transposed, token i "
                "gathers by how much the others looked at it; with a causal mask, every token then "
                "reads the future. Only for T_q different from T_k does it raise."
            ),
            fix=(
                "Weights first, values second, nothing transposed: the keys of the weights meet "
                "the keys of V."
            ),
            hints=(
                (
                    "For one query and three keys, which shapes do weights and V have, and which "
                    "axes are summed over?"
                ),
                "(T_q, T_k) times (T_k, d_v) is (T_q, d_v). What do you multiply?",
                "Look for .T, swapaxes, transpose or the letters of einsum around the weights.",
            ),
            read=(reading.ATTENTION, reading.NP_MATMUL),
            star=True,
            no_model="",
        ),
        models=(
            way({"apply": products.weights_transposed}),
            way(
                {"apply": products.weights_fully_transposed},
                "every axis reversed",
                rank=1,
                paired=False,
            ),
            way({"apply": products.values_first}, "V weights", rank=2, paired=False),
            way({"apply": products.weights_transposed_by_einsum}, "by einsum"),
            way(
                {"apply": products.dot_of_transposed_weights},
                "np.dot of every axis reversed",
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="keys-reshaped",
            family="products",
            title="keys reshaped where a transpose is meant",
            does=(
                "Reshapes K to (d_k, T) where it should be transposed: the shape is right and the "
                "numbers sit in other places."
            ),
            example=(
                "K           [[1, 2], [3, 4], [5, 6]]\n"
                "transposed  [[1, 3, 5], [2, 4, 6]]\n"
                "reshaped    [[1, 2, 3], [4, 5, 6]]\n"
                "Q           [[1, 0]]\n"
                "right       [[1, 3, 5]]\n"
                "this bug    [[1, 2, 3]]"
            ),
            hurts=(
                "A reshape reads the numbers in the same order and only breaks the lines "
                "elsewhere. The columns then mix several keys, so each score compares a query with "
                "pieces of different tokens. Nothing raises, and the model learns badly."
            ),
            fix="Exchange the two last axes instead of reshaping.",
            hints=(
                "Is the first column of your reshaped K the first key?",
                "A transpose moves numbers to other places; a reshape never does.",
                "Look at swapaxes (torch: transpose) with the two last axes.",
            ),
            read=(reading.NP_RESHAPE, reading.NP_SWAPAXES),
            star=True,
            no_model="",
        ),
        models=(way({"score": products.keys_reshaped}),),
    ),
    Bug(
        card=Card(
            id="full-transpose",
            family="products",
            title=".T reverses every axis",
            does=(
                "Uses .T on a stack, which reverses all axes, where only the last two should "
                "change places."
            ),
            example=(
                "K, shape       (1, 2, 3)\n"
                "right          (1, 3, 2)\n"
                "K.T, this bug  (3, 2, 1)\n"
                "Q @ K.T        ValueError"
            ),
            hurts=(
                "For a matrix it is right. With a batch or heads in front, the batch axis moves to "
                "the end: it raises, or, where sizes coincide, multiplies the wrong things."
            ),
            fix="Exchange only the last two axes and leave the others where they are.",
            hints=(
                "What is the shape of K.T when K is (2, 5, 4)?",
                "The leading axes (batch, heads) must stay in front.",
                "Look at swapaxes(-1, -2) or, in torch, transpose(-2, -1) and mT.",
            ),
            read=(reading.NP_SWAPAXES, reading.NP_MATMUL),
            star=True,
            no_model="",
        ),
        models=(
            way({"score": products.full_transpose}),
            way({"score": products.dot_of_full_transpose}, "np.dot", rank=1, paired=False),
            way(
                {"apply": products.everything_transposed},
                "weights and values",
                rank=1,
                paired=False,
                only=GIVEN | APPLY,
            ),
            way(
                {"score": products.keys_not_transposed},
                "not transposed at all",
                rank=3,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="queries-keys-swapped",
            family="products",
            title="queries and keys change places",
            does="Computes K Qᵀ, so that rows belong to keys and columns to queries.",
            example=(
                "Q               [[1, 0], [0, 2]]\n"
                "K               [[1, 1], [0, 1]]\n"
                "Q Kᵀ, right     [[1, 0], [2, 2]]\n"
                "K Qᵀ, this bug  [[1, 2], [0, 2]]"
            ),
            hurts=(
                "Token i then attends by what the others asked of it. For T_q = T_k the shapes "
                "agree and nothing raises; the causal mask then hides the wrong half."
            ),
            fix="Queries come first: the rows of the scores are the queries.",
            hints=(
                "For two queries and three keys: is your score table (2, 3) or (3, 2)?",
                "Row i should hold everything that query i asks.",
                "Look at which of the two stands left of @, or at the order of the arguments.",
            ),
            read=(reading.ATTENTION, reading.ANNOTATED),
            star=True,
            no_model="",
        ),
        models=(
            way({"score": products.swapped}),
            way(
                {"score": products.queries_squared},
                "Q Qᵀ",
                rank=3,
                paired=False,
                only=GIVEN | SCORES,
            ),
            way(
                {"score": products.keys_squared}, "K Kᵀ", rank=3, paired=False, only=GIVEN | SCORES
            ),
        ),
    ),
    Bug(
        card=Card(
            id="attention-across-heads",
            family="products",
            title="heads attend to heads",
            does=(
                "Multiplies while the head axis is still behind the token axis, so the heads of "
                "one token attend to each other."
            ),
            example=(
                "Q, (T, h, d_k)    (5, 2, 3)\n"
                "right, (h, T, T)  (2, 5, 5)\n"
                "bug, (T, h, h)    (5, 2, 2)"
            ),
            hurts=(
                "No token ever sees another: the table of scores is (h, h) for each token and has "
                "nothing to do with the sentence. The model is then a network over single words, "
                "and a causal mask has no meaning."
            ),
            fix=(
                "Bring the heads in front of the tokens before the product: the two last axes must "
                "be tokens and d_k."
            ),
            hints=(
                "What is the shape of your scores: does T appear in it twice?",
                "@ works on the last two axes. Which are yours?",
                "Look at the swap of axes 1 and 2 after the split into heads.",
            ),
            read=(reading.HEADS, reading.NP_MATMUL),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"split": heads.not_moved, "see": seeing.of_scores, "join": heads.join_not_moved},
                "masked by the scores' own axes",
                only=HEADS,
            ),
            way(
                {"split": heads.not_moved, "join": heads.join_not_moved},
                "masked by the length",
                only=HEADS,
            ),
            way(
                {"split": heads.not_moved, "see": seeing.of_scores},
                "joined as if moved",
                rank=1,
                paired=False,
                only=HEADS,
            ),
            way(
                {"split": heads.not_moved},
                "masked by the length, joined as if moved",
                rank=1,
                paired=False,
                only=HEADS,
            ),
            way(
                {"split": heads.not_moved, "see": seeing.never, "join": heads.join_not_moved},
                "not masked",
                rank=1,
                paired=False,
                only=HEADS,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="attention-across-batch",
            family="products",
            title="samples attend to each other",
            does=(
                "Merges the batch with the tokens (or multiplies along the batch), so that the "
                "samples of a batch attend to each other."
            ),
            example=(
                "V              [[[10]], [[20]]]  # two samples of one token\n"
                "right weights  [[[1]], [[1]]]\n"
                "right          [[[10]], [[20]]]\n"
                "bug's weights  [[0.50, 0.50], [0.50, 0.50]]\n"
                "this bug       [[[15]], [[15]]]"
            ),
            hurts=(
                "The answer for one sentence depends on which others are in its batch, so private "
                "text can travel from one to another, and evaluation gives other numbers than "
                "training."
            ),
            fix="Keep the batch as a leading axis through scores, softmax and product.",
            hints=(
                "Does the first sample's output change when you replace the second sample?",
                "The scores need one table for each sample.",
                "Look at reshape(-1, ...) before the product, and at the batch letter in einsum.",
            ),
            read=(reading.NP_MATMUL, reading.ATTENTION),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {
                    "score": products.batch_as_length,
                    "see": seeing.of_scores,
                    "apply": products.batch_as_length_back,
                },
                "axes swapped, masked by the scores' own axes",
                only=SINGLE,
            ),
            way(
                {"score": products.batch_as_length, "apply": products.batch_as_length_back},
                "axes swapped",
                only=SINGLE | GIVEN,
                paired=False,
            ),
            way(
                {
                    "score": products.batch_as_length_of_stacks,
                    "see": seeing.of_scores,
                    "apply": products.batch_as_length_of_stacks_back,
                },
                "axes swapped where there are three",
                only=SINGLE,
                rank=1,
                paired=False,
            ),
            way({"score": products.scores_between_samples}, "np.dot of stacks"),
            way(
                {"score": products.scores_of_one_row},
                "one long sequence",
                rank=1,
                paired=False,
                only=SCORES,
            ),
            way({"apply": products.mixed_between_samples}, "np.dot of stacks"),
            way(
                {
                    "score": products.samples_in_one_row,
                    "apply": products.samples_in_one_row_back,
                },
                "one long sequence",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {
                    "score": products.samples_in_one_row,
                    "see": products.see_causal_of_row,
                    "apply": products.samples_in_one_row_back,
                },
                "one long sequence",
                only=SINGLE,
                paired=False,
            ),
            way(
                {
                    "split": heads.batch_for_length,
                    "see": seeing.of_scores,
                    "join": heads.join_batch_for_length,
                },
                "heads over samples",
                only=HEADS,
            ),
            way(
                {"split": heads.batch_for_length, "join": heads.join_batch_for_length},
                "heads over samples, masked by the length",
                only=HEADS,
                paired=False,
            ),
            way(
                {"split": heads.one_row, "see": seeing.of_scores, "join": heads.join_one_row},
                "one long sequence",
                only=HEADS,
                paired=False,
            ),
        ),
    ),
)

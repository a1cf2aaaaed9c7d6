"""Bugs in the two products, and in the shapes around them."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import heads, products, seeing
from . import reading
from .ways import APPLY, CLASSES, GIVEN, HEADS, SCORES, SINGLE, way

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
    Bug(
        card=Card(
            id="returns-swapped",
            family="products",
            title="the two results in the wrong order",
            does="Returns (weights, output) where (output, weights) is asked for.",
            example=("right, shapes  ((1, 3), (1, 2))\nthis bug's     ((1, 2), (1, 3))"),
            hurts=(
                "The caller goes on with the weights as if they were the output. Where the shapes "
                "agree by chance, nothing raises and the model learns from a table of percentages."
            ),
            fix="The output comes first, the weights second.",
            hints=(
                "What is the shape of your first result?",
                "The contract says: (output, weights).",
                "Look at the return line.",
            ),
            read=(reading.T_MHA, reading.ATTENTION),
            star=True,
            no_model="",
        ),
        models=(way({"finish": products.finished("weights", "attended")}, only=GIVEN),),
    ),
    Bug(
        card=Card(
            id="returns-one-thing",
            family="products",
            title="one array where two are asked for",
            does="Returns the output alone (or the weights alone) where both are asked for.",
            example=(
                "right, output   [[1, 2], [3, 4]]\n"
                "right, weights  [[1, 0], [0, 1]]\n"
                "bug, output     [1, 2]\n"
                "bug, weights    [3, 4]"
            ),
            hurts=(
                "Python unpacks any array along its first axis. With exactly two rows, the caller "
                "silently gets row 0 as the output and row 1 as the weights; otherwise it raises."
            ),
            fix="Return both, the output first.",
            hints=(
                "How many things does your function return?",
                "Two names on the left of = split one array of two rows without a word.",
                "Look at the return line: it needs two values with a comma between them.",
            ),
            read=(reading.PY_UNPACK, reading.T_MHA),
            star=True,
            no_model="",
        ),
        models=(
            way({"finish": products.finished("attended")}, "the output", only=GIVEN),
            way({"finish": products.finished("weights")}, "the weights", only=GIVEN),
        ),
    ),
    Bug(
        card=Card(
            id="output-never-filled",
            family="products",
            title="a buffer of zeros is returned",
            does="Makes an array for the result and returns it before anything is written into it.",
            example=(
                "weights   [[0.50, 0.50]]\n"
                "V         [[10], [20]]\n"
                "right     [[15]]\n"
                "this bug  [[0]]"
            ),
            hurts=(
                "All outputs are 0, so the layer passes nothing on and gets no gradient: with a "
                "residual connection the model runs and trains as if there were no attention."
            ),
            fix="Write the result into the array, or return the product itself.",
            hints=(
                "Is every number in your result 0?",
                "Which line writes into the array that you return? Does it run?",
                (
                    "Look for an assignment to a new name where one into the array (with [...]) "
                    "was meant, and for a loop that never starts."
                ),
            ),
            read=(reading.NP_FULL, reading.NP_COPIES),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"apply": products.never_filled},
                "the output",
                only=GIVEN | frozenset({"apply_attention"}),
            ),
            way({"out": products.output_never_filled}, only=CLASSES),
            way(
                {"apply": products.never_filled},
                "what is attended",
                rank=1,
                paired=False,
                only=CLASSES,
            ),
            way({"join": products.joined_never_filled}, "the heads' buffer", rank=1, only=HEADS),
            way(
                {"scale": products.scores_never_filled},
                "the scores",
                rank=1,
                only=GIVEN | SCORES | CLASSES,
            ),
            way(
                {"normalise": products.weights_never_filled},
                "the weights",
                rank=1,
                only=frozenset({"softmax"}) | GIVEN,
            ),
            way(
                {"normalise": products.weights_never_filled, "apply": products.never_filled},
                "both results",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
)

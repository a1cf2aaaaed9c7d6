"""Bugs in the projections, in splitting and joining heads, and in W_o."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import heads, products, projecting
from . import reading
from .ways import CLASSES, GIVEN, HEADS, every_order, way

BUGS = (
    Bug(
        card=Card(
            id="value-from-keys",
            family="projections and heads",
            title="values made from the keys",
            does="Makes V with W_k, or uses K in its place.",
            example=(
                "x            [[1, 2]]\n"
                "W_k          [[2, 0], [0, 2]]\n"
                "W_v          [[0, 1], [1, 0]]\n"
                "V, right     [[2, 1]]\n"
                "V, this bug  [[2, 4]]"
            ),
            hurts=(
                "Keys say what a token can be found by, values say what it passes on. With one "
                "matrix for both the model loses that freedom, and W_v never gets a gradient: it "
                "stays as it was initialised."
            ),
            fix="Each of the three projections uses its own matrix.",
            hints=(
                "Which of your matrices has no influence on the result?",
                "Three lines that look alike are easily copied with one name left unchanged.",
                "Look at the line that makes V, and at what you pass as the third argument.",
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            equals=("projection-shared",),
            no_model="",
        ),
        models=(
            way({"project": projecting.with_matrices("qkk")}, only=CLASSES),
            way({"apply": products.keys_as_values}, "V is K", only=GIVEN),
        ),
    ),
    Bug(
        card=Card(
            id="value-from-queries",
            family="projections and heads",
            title="values made from the queries",
            does="Makes V with W_q, or uses Q in its place.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[1, 1], [0, 1]]\n"
                "W_v          [[0, 1], [1, 0]]\n"
                "V, right     [[2, 1]]\n"
                "V, this bug  [[1, 3]]"
            ),
            hurts=(
                "What a token asks for and what it passes on become the same. The model still "
                "trains, but worse, and W_v never gets a gradient."
            ),
            fix="Each of the three projections uses its own matrix.",
            hints=(
                "Which of your matrices has no influence on the result?",
                "Three lines that look alike are easily copied with one name left unchanged.",
                "Look at the line that makes V: which W does it use?",
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            equals=("projection-shared",),
            no_model="",
        ),
        models=(
            way({"project": projecting.with_matrices("qkq")}, only=CLASSES),
            way({"apply": products.queries_as_values}, "V is Q", only=GIVEN),
        ),
    ),
    Bug(
        card=Card(
            id="projection-missing",
            family="projections and heads",
            title="one projection is left out",
            does="Uses the input itself as Q, K or V, without multiplying it by its matrix.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[2, 0], [0, 2]]\n"
                "Q, right     [[2, 4]]\n"
                "Q, this bug  [[1, 2]]"
            ),
            hurts=(
                "The model cannot choose what to ask for, what to be found by, or what to pass on. "
                "It runs and trains, but that matrix never learns."
            ),
            fix="Multiply the input by its own matrix for each of Q, K and V.",
            hints=(
                "Which of W_q, W_k, W_v could you change without changing the result?",
                "All three of Q, K and V are made from x, each by a product.",
                (
                    "Look at the three lines after the input comes in, and at what the attention "
                    "call gets."
                ),
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            no_model="",
        ),
        models=(
            *(
                way(
                    {"project": projecting.not_projected(names)},
                    names,
                    only=CLASSES,
                    rank=len(names) - 1,
                )
                for names in ("Q", "K", "V")
            ),
            *(
                way(
                    {"project": projecting.not_projected(names)},
                    names,
                    only=CLASSES,
                    rank=1,
                    paired=names in ("QKV", "QK"),
                )
                for names in ("QKV", "QK", "QV", "KV")
            ),
        ),
    ),
    Bug(
        card=Card(
            id="projection-shared",
            family="projections and heads",
            title="one matrix for two projections",
            does="Uses one matrix for two of Q, K and V, or for all three.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[2, 0], [0, 2]]\n"
                "W_k          [[0, 1], [1, 0]]\n"
                "K, right     [[2, 1]]\n"
                "K, this bug  [[2, 4]]"
            ),
            hurts=(
                "With equal queries and keys, the table of scores is symmetric before the mask: "
                "how much a looks at b is how much b looks at a, and each token tends to look at "
                "itself. The unused matrix never learns."
            ),
            fix=(
                "Give Q, K and V a matrix each, and make sure that no two names stand for one "
                "object."
            ),
            hints=(
                "Which of your matrices has no influence on the result?",
                "W_q = W_k = ... makes one array with two names.",
                "Look at the three projection lines, and at where the matrices are made.",
            ),
            read=(reading.ATTENTION, reading.CIRCUITS),
            equals=("value-from-keys", "value-from-queries"),
            no_model="",
        ),
        models=(
            *(
                way({"project": projecting.with_matrices(letters)}, letters, only=CLASSES, rank=1)
                for letters in ("qqq", "qqv", "kkv", "kkk", "vvv", "qvv", "vkv")
            ),
            *(
                way(
                    {"project": projecting.with_matrices(letters)},
                    letters,
                    only=CLASSES,
                    rank=2,
                    paired=False,
                )
                for letters in (
                    "kqq",
                    "kqk",
                    "vqv",
                    "vkk",
                    "qvq",
                    "kvv",
                    "vqq",
                    "vvq",
                    "kkq",
                    "qqk",
                    "vvk",
                    "oov",
                    "okv",
                    "qov",
                    "qko",
                    "ooo",
                )
            ),
            way(
                {"out": projecting.output_with("v")},
                "W_v in the place of W_o",
                only=CLASSES,
                rank=2,
            ),
            way(
                {"out": projecting.output_with("q")},
                "W_q in the place of W_o",
                only=CLASSES,
                rank=2,
                paired=False,
            ),
            way(
                {"out": projecting.output_with("k")},
                "W_k in the place of W_o",
                only=CLASSES,
                rank=2,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="projection-transposed",
            family="projections and heads",
            title="the projection's matrix is transposed",
            does=(
                "Multiplies by the transposed matrix: x @ Wᵀ where x @ W is meant, or a torch "
                "weight used untransposed."
            ),
            example=(
                "x             [[1, 2]]\n"
                "W             [[1, 1], [0, 1]]\n"
                "x @ W, right  [[1, 3]]\n"
                "this bug      [[3, 2]]"
            ),
            hurts=(
                "The shapes fit, because the matrices are square, and a model trained this way "
                "works. But weights loaded from elsewhere give nonsense, and nothing raises."
            ),
            fix=(
                "The contract is x @ W for a plain matrix. nn.Linear stores its weight the other "
                "way round and transposes it itself when you call it."
            ),
            hints=(
                (
                    "Which element of W does the first output get from the second input: [0, 1] "
                    "or [1, 0]?"
                ),
                "Rows of W belong to inputs, columns to outputs.",
                (
                    "Look for .T or swapped letters in einsum; with nn.Linear, call the layer "
                    "rather than its weight."
                ),
            ),
            read=(reading.T_LINEAR, reading.NP_MATMUL),
            no_model="",
        ),
        models=(
            way({"project": projecting.transposed("QKV")}, only=CLASSES),
            *(
                way({"project": projecting.transposed(names)}, names, only=CLASSES, rank=1)
                for names in ("Q", "K", "V", "QK")
            ),
            *(
                way(
                    {"project": projecting.transposed(names)},
                    names,
                    only=CLASSES,
                    rank=2,
                    paired=False,
                )
                for names in ("QV", "KV")
            ),
            *(
                way(
                    {"project": projecting.transposed(names, bias=False)},
                    f"{names}, without the bias",
                    only=CLASSES,
                    rank=2,
                    paired=False,
                    tags=frozenset({"torch"}),
                )
                for names in ("QKV", "QK", "Q", "K", "V")
            ),
        ),
    ),
    Bug(
        card=Card(
            id="projection-activation",
            family="projections and heads",
            title="a non-linearity on Q, K or V",
            does="Puts a ReLU, tanh or another non-linearity on a projection.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[1, -1], [0, 0]]\n"
                "Q, right     [[1, -1]]\n"
                "Q, this bug  [[1, 0]]"
            ),
            hurts=(
                "The projections in attention are plain products. A ReLU cuts every negative "
                'number off, so that scores can hardly be negative and "look away from this" can '
                "no longer be expressed."
            ),
            fix=(
                "Leave the products as they are. The non-linearity has its place in the "
                "feed-forward block after attention."
            ),
            hints=(
                "Do your queries contain negative numbers? Should they?",
                "What stands between x @ W and the scores in the equation? Nothing.",
                "Look for relu, maximum, tanh, gelu or a layer with an activation.",
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            no_model="",
        ),
        models=(
            *(
                way(
                    {"activate": projecting.activated("QKV", f)},
                    f"{name} on Q, K and V",
                    only=CLASSES,
                    paired=name in ("relu", "gelu", "tanh", "sigmoid"),
                )
                for name, f in projecting.NONLINEAR.items()
            ),
            *(
                way(
                    {"activate": projecting.activated(names, f)},
                    f"{name} on {names}",
                    only=CLASSES,
                    rank=1,
                    paired=name == "relu",
                )
                for name, f in projecting.NONLINEAR.items()
                for names in ("V", "Q", "K", "QK", "QV", "KV")
            ),
            *(
                way(
                    {"out": projecting.output_activated(f)},
                    f"{name} after W_o",
                    only=CLASSES,
                    rank=2,
                    paired=False,
                )
                for name, f in projecting.NONLINEAR.items()
            ),
        ),
    ),
    Bug(
        card=Card(
            id="residual-inside",
            family="projections and heads",
            title="the input is added to the result",
            does="Adds the input (or the query) to the result of attention.",
            example=(
                "x         [[1, 2]]\nright     [[3, 4]]  # what attention gives\nthis bug  [[4, 6]]"
            ),
            hurts=(
                "In a transformer the block around attention adds the input, once. If the layer "
                "does it too, it is added twice, and the signal grows with each layer."
            ),
            fix=(
                "Return the projected result alone. The residual connection belongs to the block "
                "that calls it."
            ),
            hints=(
                "With all weights set to 0, is your output 0 or the input?",
                "Which part of a transformer adds x: this layer, or the block around it?",
                "Look at + x near the return line.",
            ),
            read=(reading.RESNET, reading.ANNOTATED),
            no_model="",
        ),
        models=(
            way({"end": projecting.x_added_to_output}, "x, after W_o", only=CLASSES),
            way({"add": projecting.x_added_to_joined}, "x, before W_o", only=CLASSES),
            way({"apply": projecting.added_to_attended("Q")}, "the queries", only=CLASSES),
            way({"apply": projecting.added_to_attended("V")}, "the values", only=CLASSES, rank=1),
            way(
                {"apply": projecting.added_to_attended("Q")},
                "the queries",
                only=GIVEN,
                rank=1,
                paired=False,
            ),
            way(
                {"apply": projecting.added_to_attended("V")},
                "the values",
                only=GIVEN,
                rank=1,
                paired=False,
            ),
        ),
    ),
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
    Bug(
        card=Card(
            id="output-projection-missing",
            family="projections and heads",
            title="no W_o",
            does="Returns the attended values (or joined heads) without multiplying them by W_o.",
            example=(
                "joined    [[1, 2]]\n"
                "W_o       [[0, 1], [1, 0]]\n"
                "right     [[2, 1]]\n"
                "this bug  [[1, 2]]"
            ),
            hurts="The heads stay in their own columns and are never mixed, and W_o never learns.",
            fix="End with a product by W_o.",
            hints=(
                "Does your output change when you change W_o?",
                "What is the last factor in the paper's formula for multi-head attention?",
                "Look at the return line: one product is missing.",
            ),
            read=(reading.HEADS, reading.ANNOTATED),
            no_model="",
        ),
        models=(way({"out": projecting.no_output_projection}, only=CLASSES),),
    ),
    Bug(
        card=Card(
            id="output-projection-per-head",
            family="projections and heads",
            title="each head through its own block of W_o",
            does="Sends each head through its own (d_k, d_k) block of W_o and joins afterwards.",
            example=(
                "joined    [[1, 2]]\n"
                "W_o       [[1, 1], [1, 1]]\n"
                "right     [[3, 3]]\n"
                "this bug  [[1, 2]]"
            ),
            hurts=(
                "Only the blocks on the diagonal of W_o are used, so the heads are never mixed. "
                "That mixing is what W_o is for."
            ),
            fix="Join first, then multiply by the whole W_o.",
            hints=(
                "Which elements of W_o have no influence on your result?",
                "Concat(head_1 ... head_h) W_o: what is done first?",
                "Look at whether W_o is sliced by heads in rows and columns.",
            ),
            read=(reading.HEADS, reading.CIRCUITS),
            no_model="",
        ),
        models=(
            way({"out": projecting.output_per_head}, only=HEADS),
            way(
                {"out": projecting.output_first_block_per_head},
                "the same block for all",
                only=HEADS,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="output-projection-transposed",
            family="projections and heads",
            title="W_o is transposed",
            does="Multiplies by W_oᵀ where W_o is meant.",
            example=(
                "joined    [[1, 2]]\n"
                "W_o       [[1, 1], [0, 1]]\n"
                "right     [[1, 3]]\n"
                "this bug  [[3, 2]]"
            ),
            hurts=(
                "The matrix is square, so nothing raises, and a model trained this way works. With "
                "weights from elsewhere the output is wrong."
            ),
            fix=(
                "Use a plain matrix as it is, on the right of the product. nn.Linear transposes "
                "its own weight when you call it."
            ),
            hints=(
                "Which element of W_o takes the second input to the first output?",
                "Rows of W_o belong to its inputs, columns to its outputs.",
                "Look for .T or swapped letters in einsum in the last product.",
            ),
            read=(reading.HEADS, reading.T_LINEAR),
            no_model="",
        ),
        models=(
            way({"out": projecting.output_transposed()}, only=CLASSES),
            way(
                {"out": projecting.output_transposed(bias=False)},
                "without the bias",
                only=CLASSES,
                rank=1,
                paired=False,
                tags=frozenset({"torch"}),
            ),
        ),
    ),
)

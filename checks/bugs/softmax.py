"""Bugs in softmax: which numbers are added up, and how."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import blocking, products
from ..steps.softmaxes import (
    all_but_first,
    along,
    as_one_column,
    behind_axis_0,
    by_full_transpose,
    divided_only,
    exponentials_into_integers,
    exponentials_only,
    implicit,
    into_integers,
    no_shift,
    normalise_along,
    normalise_placed,
    normalise_without_nan,
    on_the_keys,
    plus,
    plus_one_unshifted,
    raw,
    shift_along,
    shift_by_largest_size,
    shift_by_mean,
    shift_by_minimum,
    shift_clipped_at_zero,
    shift_from,
    shift_placed,
    softmax_along,
    softmax_placed,
    through_logarithm,
)
from . import reading
from .ways import GIVEN, NOT_IN_HEADS, SOFTMAX, Fitted, Quantity, way, when_given

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
    Bug(
        card=Card(
            id="softmax-whole-matrix",
            family="softmax",
            title="one sum for the whole table",
            does=(
                "Divides by the sum over all queries and keys, so that the whole table sums to 1 "
                "instead of each row."
            ),
            example=(
                "scores        [[0, 2], [1, 1]]\n"
                "right         [[0.12, 0.88], [0.50, 0.50]]\n"
                "this bug      [[0.07, 0.53], [0.20, 0.20]]\n"
                "its row sums  [0.61, 0.39]  # each should be 1"
            ),
            hurts=(
                "The longer the sequence, the smaller all weights become, so the outputs shrink "
                "with the length. Queries with large scores drown out all the others, and each "
                "weight depends on every token in the sentence, later ones too."
            ),
            fix=(
                "Give every query its own sum: reduce along the key axis only, and keep that axis "
                "so the division lines up."
            ),
            hints=(
                (
                    "What do all your weights together add up to? And what should they add up to, "
                    "for T queries?"
                ),
                "A sum without an axis goes over everything.",
                (
                    "Look at the call of sum (and of max): it needs axis= and keepdims= (torch: "
                    "dim=, keepdim=)."
                ),
            ),
            read=(reading.ATTENTION, reading.NP_REDUCE),
            star=True,
            no_model="",
        ),
        models=(
            way(softmax_along(None)),
            way({"normalise": normalise_along(along(None))}, "the sum only"),
            way(softmax_along((-2, -1)), "each matrix by itself"),
            way(
                {"normalise": normalise_along(along((-2, -1)))},
                "each matrix by itself, the sum only",
            ),
            way(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along((-2, -1)))},
                "one maximum, each matrix summed",
                rank=2,
                paired=False,
            ),
            way(softmax_along((0, -2, -1)), "each head over all samples", rank=1, paired=False),
            way(
                {"normalise": normalise_along(along((0, -2, -1)))},
                "each head over all samples, the sum only",
                rank=1,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(None))},
                "no shift",
                rank=2,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along((-2, -1)))},
                "no shift, each matrix",
                rank=2,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-no-keepdims",
            family="softmax",
            title="the reduced axis is lost",
            does=(
                "Drops the axis it summed over, so the division divides column j by the sum of row "
                "j."
            ),
            example=(
                "exp(scores)   [[1.00, 7.39], [1.00, 1.00]]\n"
                "its row sums  [8.39, 2.00]\n"
                "right         [[0.12, 0.88], [0.50, 0.50]]\n"
                "this bug      [[0.12, 3.69], [0.12, 0.50]]  # 7.39 / 2.00, for example"
            ),
            hurts=(
                "For a square matrix nothing complains: broadcasting (how NumPy stretches arrays "
                "to fit each other) lines the sums up with the wrong axis and the weights are no "
                "distribution. For T_q different from T_k it raises, often first in the middle of "
                "a training run."
            ),
            fix="Keep the reduced axis with length 1, so that each row is divided by its own sum.",
            hints=(
                (
                    "What is the shape of your sums, for scores of shape (3, 3)? Which axis will "
                    "(3,) be matched with?"
                ),
                "Broadcasting matches shapes from the right. Row sums need the shape (T_q, 1).",
                "Look at the argument keepdims (torch: keepdim) of sum and max.",
            ),
            read=(reading.NP_BROADCAST, reading.NP_REDUCE),
            equals=("softmax-over-queries",),
            star=True,
            no_model="",
        ),
        models=(
            way({"normalise": normalise_along(along(-1), keepdims=False)}, "the sum"),
            way({"shift": shift_along(along(-1), keepdims=False)}, "the maximum", rank=1),
            way(
                {
                    "shift": shift_along(along(-1), keepdims=False),
                    "normalise": normalise_along(along(-1), keepdims=False),
                },
                "both",
            ),
            way(
                {
                    "shift": shift_along(along(None)),
                    "normalise": normalise_along(along(-1), keepdims=False),
                },
                "the sum, one maximum for all",
                rank=1,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(-1), keepdims=False)},
                "the sum, no shift",
                rank=2,
                paired=False,
            ),
            way(
                {
                    "shift": shift_along(along(-2), keepdims=False),
                    "normalise": normalise_along(along(-2), keepdims=False),
                },
                "along the queries",
                rank=2,
                paired=False,
            ),
            way(
                {"normalise": normalise_placed(on_the_keys)},
                "the sum, on the key axis",
                rank=1,
            ),
            way(
                {"shift": shift_placed(on_the_keys)},
                "the maximum, on the key axis",
                rank=2,
                paired=False,
            ),
            way(softmax_placed(on_the_keys), "both, on the key axis", rank=2, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-implicit-dim",
            family="softmax",
            title="the axis left to the library",
            does=(
                "Calls the library's softmax without an axis, so that PyTorch chooses one by the "
                "number of dimensions."
            ),
            example=(
                "matrix            [[0, 2], [1, 1]]\n"
                "no dim gives      [[0.12, 0.88], [0.50, 0.50]]\n"
                "stack of one      [[[0, 2], [1, 1]]]\n"
                "no dim now gives  [[[1, 1], [1, 1]]]  # axis 0"
            ),
            hurts=(
                "PyTorch's old rule takes axis 0 for one and three dimensions and axis 1 "
                "otherwise. A matrix comes out right, a batch does not, and only a warning says "
                "so."
            ),
            fix="Always name the axis, counted from the end.",
            hints=(
                (
                    "Did PyTorch print a warning about an implicit dimension? What does it choose "
                    "for three dimensions?"
                ),
                (
                    "A default that depends on the number of dimensions cannot be right for all "
                    "of them."
                ),
                "Look at the argument dim of torch.softmax.",
            ),
            read=(reading.T_SOFTMAX, reading.ATTENTION),
            star=True,
            no_model="",
        ),
        models=(way(softmax_along(implicit), rank=1, tags=frozenset({"torch"})),),
    ),
    Bug(
        card=Card(
            id="softmax-overflow",
            family="softmax",
            title="exponentials without subtracting the maximum",
            does=(
                "Exponentiates the raw scores, so that scores above about 709 (float32: 88) become "
                "infinite and the weights NaN."
            ),
            example=(
                "scores       [[0, 1000]]\n"
                "right        [[0, 1]]\n"
                "exp(scores)  [[1, inf]]\n"
                "this bug     [[0, nan]]"
            ),
            hurts=(
                'NaN is "not a number", and everything it touches becomes NaN. Training runs well '
                "until one score grows large, then the loss is NaN from one step to the next and "
                "every parameter with it."
            ),
            fix=(
                "Adding the same number to all scores of a row does not change softmax. Choose "
                "that number so that the largest exponent is 0."
            ),
            hints=(
                "What is exp(1000) in floating point? And infinity divided by infinity?",
                "softmax(s) = softmax(s - c) for any c. Which c keeps every exponential at most 1?",
                (
                    "Look at the line with exp: before it, each row should be shifted by its own "
                    "maximum."
                ),
            ),
            read=(reading.STABLE, reading.NP_REDUCE),
            star=True,
            no_model="",
        ),
        models=(
            way({"shift": no_shift}),
            way({"shift": shift_by_minimum}, "minus the minimum", rank=1, paired=False),
            way({"shift": shift_by_mean}, "minus the mean", rank=1, paired=False),
            way(
                {"shift": no_shift, "normalise": through_logarithm},
                "through the logarithm of the sum",
                rank=1,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_without_nan},
                "NaN made 0",
                rank=1,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": plus(1e-12)},
                "a tiny number in the denominator",
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-global-max",
            family="softmax",
            title="the maximum of the whole table",
            does=(
                "Subtracts the largest score of the whole table from every row, so that rows far "
                "below it vanish to 0/0."
            ),
            example=(
                "scores    [[0, 1], [1000, 1001]]\n"
                "right     [[0.27, 0.73], [0.27, 0.73]]\n"
                "this bug  [[nan, nan], [0.27, 0.73]]"
            ),
            hurts=(
                "One query with large scores destroys the weights of all the others: their "
                "exponentials round to 0, their sum is 0, and 0 divided by 0 is NaN. In a batch, "
                "one unusual sentence spoils its neighbours."
            ),
            fix="Take each row's own maximum, along the key axis, and keep the axis.",
            hints=(
                "What happens to a row whose scores all lie 1000 below the largest of the table?",
                "Each row is a softmax of its own; its shift should be its own too.",
                "Look at the arguments of max: the same axis and keepdims as for the sum.",
            ),
            read=(reading.STABLE, reading.NP_REDUCE),
            star=True,
            no_model="",
        ),
        models=(
            way({"shift": shift_along(along(None))}),
            way({"shift": shift_along(along((-2, -1)))}, "one maximum per matrix"),
            way(
                {"shift": shift_along(along((0, -2, -1)))},
                "one maximum per head",
                rank=3,
                paired=False,
            ),
            way(
                {"shift": shift_along(along((1, -2, -1)))},
                "one maximum per sample",
                rank=3,
                paired=False,
                only=frozenset({"softmax", "scaled_dot_product_attention", "MultiHeadAttention"}),
            ),
            *(
                way(
                    {"shift": shift_along(along(axis)), "normalise": normalise},
                    label,
                    rank=1,
                    paired=False,
                )
                for axis in (None, (-2, -1))
                for normalise, label in (
                    (plus(1e-12), "a tiny number in the denominator"),
                    (through_logarithm, "through the logarithm of the sum"),
                )
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-max-from-zero",
            family="softmax",
            title="a running maximum that starts at 0",
            does=(
                "Starts the maximum at 0 (or clips it there), so that rows of very negative scores "
                "are not shifted and vanish."
            ),
            example=(
                "scores           [[-1000, -999]]\n"
                "right            [[0.27, 0.73]]\n"
                "exp(scores - 0)  [[0, 0]]\n"
                "this bug         [[nan, nan]]"
            ),
            hurts=(
                "All goes well while at least one score of a row is positive. A row of large "
                "negative scores keeps its size, its exponentials round to 0, and the row becomes "
                "NaN. Scores are often negative in a trained model."
            ),
            fix=(
                "Start from a number that no score can be below, or from the row's first score, or "
                "let the library find the maximum."
            ),
            hints=(
                "What does your code find as the maximum of -1000 and -999?",
                "A running maximum must start below everything it will see.",
                (
                    "Look at the first value of the variable that holds the maximum (or at "
                    "maximum, clip, relu, initial=)."
                ),
            ),
            read=(reading.STABLE, reading.PY_INF),
            star=True,
            no_model="",
        ),
        models=(
            way({"shift": shift_from(0.0)}),
            way({"shift": shift_clipped_at_zero}, "scores clipped at 0", rank=1),
            way(
                {"shift": shift_by_largest_size}, "the largest size, not the largest number", rank=1
            ),
            way(
                {"shift": shift_from(0.0), "normalise": plus(1e-12)},
                "a tiny number in the denominator",
                rank=1,
                paired=False,
            ),
            way({"shift": shift_from(-1.0)}, "starts at -1", rank=1, paired=False),
            way({"shift": shift_from(1.0)}, "starts at 1", rank=2, paired=False),
            way({"shift": shift_from(-100.0)}, "starts at -100", rank=2, paired=False),
            way({"shift": shift_from(-999.0)}, "starts at -999", rank=2, paired=False),
            way({"shift": shift_from(-1000.0)}, "starts at -1000", rank=2, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-integer-buffer",
            family="softmax",
            title="probabilities in an integer array",
            does=(
                "Writes the weights into an array that took the integer type of the scores, so "
                "every weight below 1 is cut down to 0."
            ),
            example=("scores    [[0, 2]]\nright     [[0.12, 0.88]]\nthis bug  [[0, 0]]"),
            hurts=(
                "Weights lie between 0 and 1, and integers have nothing there. Only integer scores "
                "show it, so it hides until somebody tests with small whole numbers; then all "
                "attention is gone."
            ),
            fix=(
                "Make the array that holds the result with a floating-point type, whatever the "
                "scores are."
            ),
            hints=(
                "What is the dtype of your result when the scores are [[0, 2]]?",
                "zeros_like and empty_like copy the type as well as the shape.",
                "Look at where the result array is made: it has an argument dtype.",
            ),
            read=(reading.NP_DTYPES, reading.NP_FULL),
            star=True,
            no_model="",
        ),
        models=(
            way({"normalise": into_integers}, "the probabilities", only=SOFTMAX),
            way(
                {"normalise": exponentials_into_integers}, "the exponentials", rank=1, only=SOFTMAX
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-plus-one",
            family="softmax",
            title="a constant in the denominator",
            does="Adds a constant to the sum it divides by, so that rows sum to less than 1.",
            example=(
                "scores       [[0, 2]]\n"
                "right        [[0.12, 0.88]]\n"
                "this bug     [[0.06, 0.47]]\n"
                "its row sum  [0.53]  # should be 1"
            ),
            hurts=(
                "Every output is shrunk, most of all for rows with small sums; a large epsilon "
                '"against division by zero" does the same. After subtracting the maximum the sum '
                "is at least 1, so there is nothing to guard against. (As a deliberate variant it "
                "exists; it is another function than softmax.)"
            ),
            fix=(
                "Divide by the sum alone. Where you feared a zero, subtract the row's maximum "
                "first."
            ),
            hints=(
                "What does each row of weights add up to, and what is missing?",
                "After the shift by the maximum one exponential is exactly 1. Can the sum be 0?",
                "Look at the denominator: is anything there besides the sum of the exponentials?",
            ),
            read=(reading.STABLE, reading.MILLER),
            star=True,
            no_model="",
        ),
        models=(
            way({"normalise": plus(1.0)}),
            way({"normalise": plus_one_unshifted}, "before the shift"),
            Fitted(
                Quantity.DENOMINATOR, lambda c: way({"normalise": plus(c)}, f"{c:.4g} more", rank=1)
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-missing",
            family="softmax",
            title="raw scores used as weights",
            does=(
                "Mixes the values with the scores themselves, without turning them into weights by "
                "softmax."
            ),
            example=(
                "scores       [[0, 2]]\n"
                "right        [[0.12, 0.88]]\n"
                "this bug     [[0, 2]]\n"
                "its row sum  [2]  # should be 1"
            ),
            hurts=(
                "Scores can be negative and of any size, so outputs explode with depth and length. "
                "A mask of -1e9 then does not hide a key; it makes it the loudest of all."
            ),
            fix=(
                "Between the scores and the product with V stands softmax. Call it on the scaled "
                "and masked scores."
            ),
            hints=(
                "Does each row of your weights sum to 1, with nothing below 0?",
                "Which step turns any numbers into a distribution?",
                "Look at what you multiply with V: it should be the result of softmax.",
            ),
            read=(reading.ATTENTION, reading.ANNOTATED),
            star=True,
            no_model="",
        ),
        models=(
            way({"shift": no_shift, "normalise": raw}),
            way({"normalise": exponentials_only}, "exponentials that are never divided", rank=1),
            way(
                {"shift": no_shift, "normalise": exponentials_only},
                "plain exponentials that are never divided",
                rank=1,
            ),
            way({"normalise": divided_only}, "divided, but no exponential", rank=2, paired=False),
            *when_given(
                lambda when: {
                    "block": blocking.filled(0.0, when),
                    "shift": no_shift,
                    "normalise": raw,
                },
                "masked scores are 0",
                rank=1,
            ),
            way(
                {"apply": products.scores_as_weights},
                "the scores are mixed, the weights are right",
                rank=2,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
)

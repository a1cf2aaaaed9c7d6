"""Bugs of the maximum that softmax subtracts."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps.softmaxes import (
    along,
    no_shift,
    normalise_without_nan,
    plus,
    shift_along,
    shift_by_largest_size,
    shift_by_mean,
    shift_by_minimum,
    shift_clipped_at_zero,
    shift_from,
    through_logarithm,
)
from . import reading
from .ways import way

BUGS = (
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
)

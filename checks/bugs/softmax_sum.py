"""Bugs of what softmax divides, and by what."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import blocking, products
from ..steps.softmaxes import (
    divided_only,
    exponentials_into_integers,
    exponentials_only,
    into_integers,
    no_shift,
    plus,
    plus_one_unshifted,
    raw,
)
from . import reading
from .ways import GIVEN, SOFTMAX, Fitted, Quantity, way, when_given

BUGS = (
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

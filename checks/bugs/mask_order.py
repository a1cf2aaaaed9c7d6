"""Bugs of when the mask comes: after softmax, by renormalising, as a factor."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import blocking
from ..steps.seeing import is_additive
from . import reading
from .ways import (
    GIVEN,
    INFINITE,
    way,
    when_given,
)

BUGS = (
    Bug(
        card=Card(
            id="mask-after-softmax",
            family="mask",
            title="the mask comes after softmax",
            does=(
                "Zeroes the weights of masked keys after softmax, so that rows no longer sum to 1."
            ),
            example=(
                "scores       [[0, 2]]\n"
                "may attend   [[True, False]]\n"
                "right        [[1, 0]]\n"
                "this bug     [[0.12, 0.00]]\n"
                "its row sum  [0.12]  # should be 1"
            ),
            hurts=(
                "Masked keys have already taken their share of the sum. What is left for the "
                "visible keys is too little, the outputs shrink, and how much they shrink depends "
                "on the hidden tokens: in a causal model that leaks the future."
            ),
            fix="Mask the scores, before softmax, with a number so low that its exponential is 0.",
            hints=(
                "What does a row of your weights sum to when half of its keys are masked?",
                "The hidden keys must be gone before the sum is taken.",
                "Look at the order of the mask's line and softmax's line.",
            ),
            read=(reading.DECODER, reading.T_SDPA),
            star=True,
            no_model="",
        ),
        models=(
            *when_given(
                lambda when: {
                    "block": blocking.unmasked(when),
                    "after": blocking.zeroed_after(when),
                }
            ),
            *when_given(
                lambda when: {
                    "block": blocking.unmasked(when),
                    "after": blocking.added_after(-1e9, when),
                },
                "the fill is added to probabilities",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {
                    "block": blocking.unmasked(when),
                    "after": blocking.filled_after(-1e9, when),
                },
                "probabilities are set to -1e9",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {
                    "block": blocking.unmasked(when),
                    "after": blocking.filled_after(-INFINITE, when),
                },
                "probabilities are set to -inf",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {
                    "block": blocking.unmasked(when),
                    "after": blocking.added_after(-INFINITE, when),
                },
                "-inf is added to probabilities",
                rank=1,
                paired=False,
            ),
            way(
                {"block": blocking.unmasked(), "after": blocking.any_fill_added_after(-1e9)},
                "the mask is added to probabilities",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"block": blocking.unmasked(is_additive), "after": blocking.given_added_after},
                "the given mask is added to probabilities",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-renormalised",
            family="mask",
            title="masked after softmax, then renormalised",
            does=(
                "Zeroes the weights after softmax and divides by what is left, which is right "
                "until what is left rounds to 0."
            ),
            example=(
                "scores        [[0, 2]]\n"
                "weights       [[1, 0]]\n"
                "large scores  [[0, 1000]]\n"
                "right         [[1, 0]]\n"
                "this way      [[nan, nan]]"
            ),
            hurts=(
                "On paper this equals masking before softmax. In floating point, a masked key with "
                "a much larger score pushes all visible weights down to exactly 0, and 0 divided "
                "by 0 is NaN."
            ),
            fix=(
                "Nothing fails because of this. For safety, mask the scores before softmax; then "
                "the renormalising is not needed."
            ),
            hints=(
                "What happens if a masked key has the largest score by far?",
                "The numbers that you keep were made small by numbers that you throw away.",
                "Look at moving the mask in front of softmax; the second division then falls away.",
            ),
            read=(reading.STABLE, reading.DECODER),
            star=True,
            note_only=True,
            no_model="",
        ),
        models=(
            way(
                {"block": blocking.unmasked(), "after": blocking.renormalised_after()},
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-multiplied",
            family="mask",
            title="scores multiplied by a 0/1 mask",
            does=(
                "Multiplies the scores by 0 and 1, so that a masked key keeps the score 0 and the "
                "weight of exp(0) = 1."
            ),
            example=(
                "scores         [[2, 3]]\n"
                "may attend     [[True, False]]\n"
                "scores * mask  [[2, 0]]\n"
                "right          [[1, 0]]\n"
                "this bug       [[0.88, 0.12]]"
            ),
            hurts=(
                'A score of 0 is not "hidden"; it is an ordinary score, and often a good one. '
                "Where visible scores are negative, the masked keys even win. Padding and future "
                "tokens leak into every output."
            ),
            fix=(
                "A hidden key needs the weight 0, so its score must be minus infinity or a huge "
                "negative number."
            ),
            hints=(
                "What is exp(0)? So how much attention does a masked key get?",
                "Which score gives the weight 0 after softmax?",
                (
                    "Look at np.where (torch: masked_fill) with the mask, in place of the "
                    "multiplication."
                ),
            ),
            read=(reading.DECODER, reading.T_MASKED_FILL),
            equals=("mask-fill-tiny",),
            star=True,
            no_model="",
        ),
        models=(
            *when_given(lambda when: {"block": blocking.multiplied(when)}),
            *when_given(
                lambda when: {"block": blocking.multiplied_by(-INFINITE, when)},
                "times -inf",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {"block": blocking.multiplied_by(-1e9, when)},
                "times -1e9",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {"block": blocking.multiplied_by(1e9, when)},
                "times 1e9",
                rank=2,
                paired=False,
            ),
            *when_given(
                lambda when: {"block": blocking.multiplied_by(-1.0, when)},
                "times -1",
                rank=2,
                paired=False,
            ),
            way(
                {"block": blocking.multiplied_by_given},
                "times the additive mask",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
)

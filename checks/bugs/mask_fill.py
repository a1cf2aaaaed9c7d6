"""Bugs of what a mask puts in the place of a masked score."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import blocking
from ..steps.seeing import is_additive, is_boolean
from . import reading
from .ways import (
    GIVEN,
    INFINITE,
    Fitted,
    Quantity,
    way,
    when_given,
)

BUGS = (
    Bug(
        card=Card(
            id="mask-fill-tiny",
            family="mask",
            title="a fill near zero",
            does=(
                "Fills masked scores with a number near 0, such as 1e-9, where a huge negative one "
                "is meant."
            ),
            example=(
                "scores          [[0, 2]]\n"
                "may attend      [[True, False]]\n"
                "after the fill  [[0, 1e-9]]\n"
                "right           [[1, 0]]\n"
                "this bug        [[0.50, 0.50]]"
            ),
            hurts=(
                "1e-9 is 0.000000001. After softmax that is as good as a score of 0, so masked "
                "keys get ordinary attention. In a causal model the loss looks too good, and the "
                "generated text is poor."
            ),
            fix=(
                "The exponent needs no minus sign, the number does: minus a thousand million, or "
                "minus infinity."
            ),
            hints=(
                "Is your fill a very large negative number, or a very small one?",
                "1e-9 and -1e9 differ in where the minus stands.",
                'Look at the fill value: try float("-inf") if you want to be sure.',
            ),
            read=(reading.DECODER, reading.T_MASKED_FILL),
            equals=("mask-multiplied",),
            star=True,
            no_model="",
        ),
        models=(
            *when_given(lambda when: {"block": blocking.filled(-1e-9, when)}, "-1e-9"),
            *when_given(lambda when: {"block": blocking.filled(1e-9, when)}, "1e-9"),
            *when_given(lambda when: {"block": blocking.filled(0.0, when)}, "0", rank=1),
            *when_given(
                lambda when: {"block": blocking.added(-1e-9, when)},
                "-1e-9, added",
                rank=2,
            ),
            *when_given(
                lambda when: {"block": blocking.added(1e-9, when)},
                "1e-9, added",
                rank=2,
                paired=False,
            ),
            Fitted(
                Quantity.TINY_FILL,
                lambda c: way({"block": blocking.filled(c)}, f"{c:.3g}", rank=1, paired=False),
            ),
            Fitted(
                Quantity.TINY_FILL,
                lambda c: way(
                    {"block": blocking.filled(c, is_boolean)},
                    f"{c:.3g}, boolean masks only",
                    rank=1,
                    paired=False,
                    only=GIVEN,
                ),
            ),
            way({"close": blocking.closed_with(0.0, -1e-9)}, "-1e-9"),
            way({"close": blocking.closed_with(0.0, 1e-9)}, "1e-9"),
            Fitted(
                Quantity.TINY_CLOSED,
                lambda c: way({"close": blocking.closed_with(0.0, c)}, f"{c:.3g}"),
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-fill-too-small",
            family="mask",
            title="a fill that real scores can undercut",
            does=(
                "Fills masked scores with a modest negative number such as -10, which visible "
                "scores can fall below."
            ),
            example=(
                "scores          [[-12, 2]]\n"
                "may attend      [[True, False]]\n"
                "after the fill  [[-12, -10]]\n"
                "right           [[1, 0]]\n"
                "this bug        [[0.12, 0.88]]"
            ),
            hurts=(
                "Softmax knows only differences. Where visible scores are near -10 or below, the "
                "masked key is as attractive as they are. It works at the start of training, when "
                "scores are small, and leaks later."
            ),
            fix="Use minus infinity, or a number far below any score that can occur.",
            hints=(
                "What if all visible scores in a row are -12?",
                "The fill must lie below every score that the model will ever make.",
                "Look at the fill value: is it low enough when scores reach -10000?",
            ),
            read=(reading.DECODER, reading.T_SDPA),
            equals=("mask-added-as-boolean",),
            star=True,
            no_model="",
        ),
        models=(
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: way({"block": blocking.filled(c)}, f"{c:.6g}", rank=1),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: way(
                    {"block": blocking.filled(c, is_boolean)},
                    f"{c:.6g}, boolean masks only",
                    rank=1,
                    only=GIVEN,
                ),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: way(
                    {"block": blocking.filled(c, is_additive)},
                    f"{c:.6g}, additive masks only",
                    rank=2,
                    paired=False,
                    only=GIVEN,
                ),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: way({"block": blocking.added(c)}, f"{c:.6g}, added", rank=1),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: way(
                    {"block": blocking.added(c, is_boolean)},
                    f"{c:.6g}, added for boolean masks",
                    rank=1,
                    only=GIVEN,
                ),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: way(
                    {"block": blocking.added(c, is_additive)},
                    f"{c:.6g}, added for additive masks",
                    rank=2,
                    paired=False,
                    only=GIVEN,
                ),
            ),
            *when_given(
                lambda when: {"block": blocking.filled_with_lowest(when)},
                "the lowest score of all",
                rank=2,
                paired=False,
            ),
            Fitted(
                Quantity.SMALL_CLOSED,
                lambda c: way({"close": blocking.closed_with(0.0, c)}, f"{c:.6g}"),
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-fill-positive",
            family="mask",
            title="a positive fill",
            does=(
                "Fills masked scores with plus infinity or a huge positive number, so the masked "
                "keys take all the attention."
            ),
            example=(
                "scores          [[0, 2]]\n"
                "may attend      [[True, False]]\n"
                "after the fill  [[0, 1e9]]\n"
                "right           [[1, 0]]\n"
                "this bug        [[0, 1]]"
            ),
            hurts=(
                "It is the opposite of masking: each query sees only what it must not see. With "
                "plus infinity, rows become NaN."
            ),
            fix="The fill has to be negative.",
            hints=(
                "Which key gets the largest weight in your masked rows?",
                "exp of a huge positive number is huge. You want an exponential of 0.",
                "Look at the sign of the fill value.",
            ),
            read=(reading.DECODER, reading.T_MASKED_FILL),
            equals=("mask-inverted", "causal-inverted"),
            star=True,
            no_model="",
        ),
        models=(
            *when_given(lambda when: {"block": blocking.filled(INFINITE, when)}, "inf"),
            *when_given(lambda when: {"block": blocking.filled(1e9, when)}, "1e9"),
            *when_given(lambda when: {"block": blocking.added(1e9, when)}, "1e9, added", rank=1),
            *when_given(
                lambda when: {"block": blocking.added(INFINITE, when)},
                "inf, added",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {"block": blocking.filled(1e4, when)}, "1e4", rank=1, paired=False
            ),
            *when_given(
                lambda when: {"block": blocking.filled(1e30, when)},
                "a huge number",
                rank=2,
                paired=False,
            ),
            *(
                way(
                    {"block": blocking.given_subtracted(blocking.added(fill))},
                    "the given mask is subtracted",
                    rank=1,
                    paired=False,
                    only=GIVEN,
                )
                for fill in (1e9, -1e9, INFINITE, -INFINITE)
            ),
            way({"close": blocking.closed_with(0.0, INFINITE)}, "inf"),
            Fitted(
                Quantity.POSITIVE_CLOSED,
                lambda c: way({"close": blocking.closed_with(0.0, c)}, f"{c:.3g}"),
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-added-as-boolean",
            family="mask",
            title="a 0/1 mask added to the scores",
            does=(
                "Adds a keep-mask of zeros and ones to the scores, so that visible keys are "
                "favoured by 1 and nothing is hidden."
            ),
            example=(
                "scores         [[0, 2]]\n"
                "may attend     [[True, False]]\n"
                "scores + mask  [[1, 2]]\n"
                "right          [[1, 0]]\n"
                "this bug       [[0.27, 0.73]]"
            ),
            hurts=(
                'An additive mask holds 0 for "visible" and a huge negative number for "hidden". '
                "Zeros and ones only tilt the scores a little, so padding and future tokens still "
                "get attention."
            ),
            fix=(
                "Look at the mask's type: replace the scores where a boolean mask is False, and "
                "add a mask only if it is a float one."
            ),
            hints=(
                "By how much does your mask lower the score of a hidden key?",
                "True counts as 1 in a sum. Boolean and additive masks need two branches.",
                "Look at mask.dtype, and at np.where (torch: masked_fill) for the boolean case.",
            ),
            read=(reading.T_SDPA, reading.NP_WHERE),
            equals=("mask-fill-too-small",),
            star=True,
            no_model="",
        ),
        models=(
            *when_given(lambda when: {"block": blocking.keep_added(when)}),
            *when_given(
                lambda when: {"block": blocking.blocked_added(when)},
                "what is blocked is added",
                rank=1,
                paired=False,
            ),
            *when_given(
                lambda when: {"block": blocking.added(-1.0, when)},
                "what is blocked is subtracted",
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-zero-times-inf",
            family="mask",
            title="zero times infinity",
            does=(
                "Builds the additive mask by multiplying with infinity, and 0 times infinity is "
                "NaN at every visible key."
            ),
            example=(
                "may attend         [[True, False]]\n"
                "(1 - mask) * -inf  [[nan, -inf]]\n"
                "right              [[1, 0]]\n"
                "this bug           [[nan, nan]]"
            ),
            hurts=(
                'NaN means "not a number" and spreads: a single one makes its whole row NaN, then '
                "the loss, then all parameters after one step."
            ),
            fix=(
                "Choose between two numbers instead of multiplying: one for visible cells, one for "
                "hidden ones."
            ),
            hints=(
                "What is 0 * inf in floating point?",
                "Selecting never computes 0 * inf; multiplying does.",
                (
                    "Look at np.where (torch: torch.where, masked_fill), or use the finite number "
                    "-1e9 in the product."
                ),
            ),
            read=(reading.IEEE, reading.NP_WHERE),
            equals=("mask-bitwise-not",),
            star=True,
            no_model="",
        ),
        models=(
            *when_given(lambda when: {"block": blocking.zero_times_infinity(when)}),
            *when_given(
                lambda when: {"block": blocking.keep_times_infinity(when)},
                "the keep-mask times -inf",
                rank=1,
                paired=False,
            ),
            way({"close": blocking.closed_nan}, rank=0),
            way({"close": blocking.closed_nan_kept}, "the keep-mask times -inf", rank=1),
        ),
    ),
)

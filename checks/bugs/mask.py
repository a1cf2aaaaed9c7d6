"""Bugs in masks of any kind: where they are applied, how they are filled and lined up."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import blocking, seeing
from ..steps.seeing import is_additive, is_boolean
from . import reading
from .ways import (
    GIVEN,
    INFINITE,
    WITH_LENGTH,
    Fitted,
    Quantity,
    given,
    way,
    when_given,
    where_rows_see_nothing,
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
    Bug(
        card=Card(
            id="mask-inverted",
            family="mask",
            title="an inverted mask",
            does="Blocks the keys that may be seen and shows those that may not.",
            example=(
                "scores      [[0, 2]]\n"
                "may attend  [[True, False]]\n"
                "right       [[1, 0]]\n"
                "this bug    [[0, 1]]"
            ),
            hurts=(
                "Every query looks exactly where it must not: at the padding and into the future. "
                "The training loss falls suspiciously fast, and the generated text is nonsense."
            ),
            fix=(
                "Write down what True means. In this contract, and in PyTorch's "
                'scaled_dot_product_attention, True means "may attend".'
            ),
            hints=(
                "Which keys get weight 0 in your result: the hidden ones or the visible ones?",
                (
                    'Some libraries use True for "hide", others for "keep". Which does this '
                    "exercise use?"
                ),
                (
                    "Look at the condition in where or masked_fill, and at which of its two "
                    "branches is the fill."
                ),
            ),
            read=(reading.T_SDPA, reading.T_MHA),
            equals=("mask-fill-positive", "mask-bitwise-not"),
            star=True,
            no_model="",
        ),
        models=(*given(seeing.inverted),),
    ),
    Bug(
        card=Card(
            id="mask-bitwise-not",
            family="mask",
            title="~ on an integer mask",
            does=(
                "Uses ~ on a mask of integers, where it flips bits: ~1 is -2 and ~0 is -1, and "
                "both count as true."
            ),
            example=(
                "mask         [[1, 0]]\n"
                "~mask        [[-2, -1]]\n"
                "as booleans  [[True, True]]\n"
                "right        [[1, 0]]\n"
                "this bug     [[0.50, 0.50]]"
            ),
            hurts=(
                "Everything counts as masked, so rows come out uniform or NaN, whatever the mask "
                "says."
            ),
            fix='Make the mask boolean first, or use a logical "not" in place of the bitwise one.',
            hints=(
                "What does Python print for ~1 and for ~0?",
                '~ means "not" for booleans only. For integers it works on bits.',
                "Look at mask.dtype before ~, and at np.logical_not (torch: logical_not).",
            ),
            read=(reading.NP_NOT, reading.NP_BOOL),
            equals=("mask-zero-times-inf", "mask-ignored", "mask-inverted"),
            star=True,
            no_model="",
        ),
        models=(
            *given(seeing.nothing_visible, rank=1),
            *given(seeing.everything_visible, "read the other way", rank=4, paired=False),
            way(
                {"see": seeing.causal(seeing.blocks_everything)},
                "everything is blocked",
                rank=1,
                only=WITH_LENGTH,
            ),
            *where_rows_see_nothing(seeing.blocks_everything, "everything is blocked", rank=1),
            *given(seeing.inverted, "times a huge number", rank=2, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="mask-result-dropped",
            family="mask",
            title="the result of the fill is thrown away",
            does=(
                "Calls a function that returns a masked copy, and goes on with the unmasked scores."
            ),
            example=(
                "scores               [[0, 2]]\n"
                "after the lost fill  [[0, 2]]\n"
                "right                [[1, 0]]\n"
                "this bug             [[0.12, 0.88]]"
            ),
            hurts=(
                "It reads as if the mask were applied, yet nothing is masked. A causal model then "
                "sees the future: perfect loss, nonsense text."
            ),
            fix="Give the result a name and use it from there on.",
            hints=(
                "Does masked_fill, or where, change its argument or return a new array?",
                "A call whose result has no name changes nothing here.",
                "Look for a line with where or masked_fill that does not begin with a name and =.",
            ),
            read=(reading.T_MASKED_FILL, reading.NP_WHERE),
            equals=("mask-ignored",),
            star=True,
            no_model="",
        ),
        models=(*given(seeing.ignored, rank=1, paired=False),),
    ),
    Bug(
        card=Card(
            id="mask-argument-overwritten",
            family="mask",
            title="the caller's mask is overwritten",
            does=(
                "Writes into the mask that the caller passed in, so that the next call gets "
                "another mask."
            ),
            example=(
                "scores           [[0, 1, 2]]\n"
                "mask             [[0, 0, -1e9]]\n"
                "weights, call 1  [[0.27, 0.73, 0.00]]\n"
                "mask after it    [[0, 1, -999999998]]\n"
                "weights, call 2  [[0.12, 0.88, 0.00]]"
            ),
            hurts=(
                "The first call is right. The caller's mask is then no longer the mask: the next "
                "layer, or the next batch, works with the scores mixed into it."
            ),
            fix="Make a new array. A sum with + does; += writes into the array on its left.",
            hints=(
                "Print the mask before and after your call. Is it the same?",
                "+= and mask[...] = change the caller's array, because an argument is not a copy.",
                (
                    "Look for mask += ..., mask *= ..., mask[...] = ..., or a name with a "
                    "trailing underscore in torch."
                ),
            ),
            read=(reading.NP_COPIES, reading.T_AUTOGRAD),
            equals=("input-mutated",),
            star=True,
            no_model=(
                "The numbers are those of another bug; "
                "it is told by the caller's mask, which is different after the call."
            ),
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="mask-ignored",
            family="mask",
            title="the mask is never used",
            does="Takes a mask as an argument and never uses it.",
            example=(
                "scores      [[0, 2]]\n"
                "may attend  [[True, False]]\n"
                "right       [[1, 0]]\n"
                "this bug    [[0.12, 0.88]]"
            ),
            hurts=(
                "Padding gets attention as if it were words, and a decoder sees the future. The "
                "loss looks fine or even too good, because the model is copying the answer."
            ),
            fix="Apply the mask to the scaled scores, before softmax, when it is not None.",
            hints=(
                "If you pass a different mask, does anything in your result change?",
                "The mask acts on the scores: after the scaling, before softmax.",
                (
                    "Look for the name mask in your function's body, and for a branch that is "
                    "never entered."
                ),
            ),
            read=(reading.DECODER, reading.T_SDPA),
            equals=("mask-result-dropped", "mask-bitwise-not"),
            star=True,
            no_model="",
        ),
        models=(
            *given(seeing.ignored),
            way(
                {"see": seeing.given(seeing.ignored, seeing.is_stacked)},
                "masks with leading axes",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.ignored, seeing.is_padding)},
                "padding masks",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.ignored, seeing.is_flat)},
                "masks without leading axes",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.ignored, seeing.has_four_axes)},
                "masks with four axes",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-combined-with-or",
            family="mask",
            title='two masks joined with "or"',
            does=(
                "Joins the causal mask and the padding mask so that a key is visible if either of "
                "them allows it."
            ),
            example=(
                "causal allows   [[True, False, False]]\n"
                "padding allows  [[True, True, False]]\n"
                "right           [[1, 0, 0]]\n"
                "this bug        [[0.50, 0.50, 0.00]]"
            ),
            hurts=(
                "Both masks hide too little: padding is visible to all later tokens, and the "
                "future is visible wherever there is no padding."
            ),
            fix=(
                "A key is visible when every mask allows it. For additive masks that means adding "
                'them; for keep-masks it means "and".'
            ),
            hints=(
                "A key is padding, but lies in the past. May a query see it?",
                'Permissions are joined with "and". Prohibitions are joined with "or".',
                "Look at | and &, or at maximum and minimum, where the two masks meet.",
            ),
            read=(reading.DECODER, reading.T_MHA),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.or_causal_of_mask, seeing.is_stacked_square)},
                "square masks with leading axes",
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.or_causal_of_mask, seeing.is_square)},
                "square masks",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.or_causal, seeing.is_stacked)},
                "masks with leading axes",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.or_causal, seeing.is_padding)},
                "padding masks",
                only=GIVEN,
                paired=False,
            ),
            way({"see": seeing.given(seeing.or_causal)}, "every mask", only=GIVEN, paired=False),
            way(
                {
                    "see": seeing.given(
                        seeing.or_causal_of_mask, seeing.both(seeing.is_stacked_square, is_boolean)
                    )
                },
                "boolean square masks with leading axes",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.or_causal_of_mask, seeing.both(seeing.is_square, is_boolean)
                    )
                },
                "boolean square masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.or_causal, is_boolean)},
                "boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-on-query-rows",
            family="mask",
            title="a padding mask on the query rows",
            does=(
                "Lines the padding mask up with the queries, so that padding rows are blocked "
                "instead of padding keys."
            ),
            example=(
                "scores       [[0, 2], [0, 2]]\n"
                "real tokens  [True, False]\n"
                "right        [[1, 0], [1, 0]]\n"
                "this bug     [[0.12, 0.88], [0.50, 0.50]]"
            ),
            hurts=(
                "Real tokens still attend to the padding, which is what the mask was for. "
                "Meanwhile the rows of padding tokens, which nobody reads, become uniform or NaN."
            ),
            fix=(
                "A padding mask says which keys exist. Its length axis has to meet the last axis "
                "of the scores."
            ),
            hints=(
                "Is it a row or a column of your weights that becomes empty?",
                "Padding is about what may be looked at: the keys, the last axis.",
                (
                    "Look at where the axis of length 1 is put into the mask: mask[:, None, :] "
                    "and mask[:, :, None] are different masks."
                ),
            ),
            read=(reading.T_MHA, reading.NP_BROADCAST),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.transposed, seeing.is_padding)},
                "padding masks",
                only=GIVEN,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.transposed, seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "boolean padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.transposed)},
                "every mask",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.transposed, is_boolean)},
                "boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.transposed, seeing.is_stacked)},
                "masks with leading axes",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-missing-query-axis",
            family="mask",
            title="a per-sample mask without a query axis",
            does=(
                "Broadcasts a (B, T) or (B, 1, T) mask as if it were (T_q, T_k), so its sample "
                "axis meets the queries or the heads."
            ),
            example=(
                "real tokens      [[True, True], [True, False]]\n"
                "right, sample 0  [[0.50, 0.50], [0.50, 0.50]]\n"
                "right, sample 1  [[1, 0], [1, 0]]\n"
                "bug, sample 0    [[0.50, 0.50], [1.00, 0.00]]\n"
                "bug, sample 1    [[0.50, 0.50], [1.00, 0.00]]"
            ),
            hurts=(
                "It raises unless the sizes happen to be equal. Where they are, sample b's mask "
                "lands on query b of every sample: wrong numbers without a word."
            ),
            fix=(
                "Give the mask an axis of length 1 for each axis that it does not distinguish: "
                "queries, and heads where there are any."
            ),
            hints=(
                (
                    "Write the shapes of the scores and of the mask under each other, aligned at "
                    "the right. What meets what?"
                ),
                "(B, T_k) has to become (B, 1, T_k), and (B, 1, 1, T_k) with heads.",
                "Look at indexing with None (torch: unsqueeze) before the mask meets the scores.",
            ),
            read=(reading.NP_BROADCAST, reading.T_SDPA),
            equals=("mask-batch-axis-on-heads", "squeeze-drops-axes"),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.without_query_axis, seeing.is_padding)},
                "padding masks",
                only=GIVEN,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.without_query_axis,
                        seeing.both(seeing.is_padding, seeing.has_three_axes),
                    )
                },
                "padding masks without a head axis",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.without_query_axis,
                        seeing.both(seeing.is_padding, seeing.has_four_axes),
                    )
                },
                "padding masks with a head axis",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.samples_as_queries, seeing.is_padding)},
                "padding masks, flattened to (B, T_k)",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.squeezed, seeing.is_padding)},
                "padding masks, squeezed",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.squeezed)},
                "every mask, squeezed",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.without_query_axis, seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "boolean padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.without_query_axis, seeing.is_stacked)},
                "the first query's row",
                rank=2,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-assumes-square",
            family="mask",
            title="a mask with one length for both axes",
            does=(
                "Reshapes or slices the mask with a single length for both axes, although T_q and "
                "T_k can differ."
            ),
            example=(
                "scores, shape  (1, 3)\n"
                "mask, shape    (1, 3)\n"
                "reshaped to    (1, 1)\n"
                "this bug       ValueError"
            ),
            hurts=(
                "Self-attention has T_q = T_k and never shows it. With a single new query over "
                "many keys (as in generating text with a cache), or between two sequences, it "
                "raises or cuts the mask short."
            ),
            fix=(
                "Take the two lengths apart: T_q from the queries, T_k from the keys. Broadcasting "
                "usually makes the reshape unnecessary."
            ),
            hints=(
                "What is the shape of the mask for one query and three keys?",
                "The scores are (T_q, T_k). Which of your lines assumes that the two are equal?",
                "Look at reshape, view or slices of the mask: the last size should be K.shape[-2].",
            ),
            read=(reading.NP_BROADCAST, reading.T_SDPA),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.square_of_queries, seeing.is_not_padding)},
                "T_q for both axes",
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.square_of_keys, seeing.is_not_padding)},
                "T_k for both axes",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.square_of_queries)},
                "T_q for both axes of every mask",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.square_of_keys)},
                "T_k for both axes of every mask",
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.broadcast_square_of_queries)},
                "broadcast to T_q x T_q",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.square_of_queries, seeing.both(seeing.is_not_padding, is_boolean)
                    )
                },
                "T_q for both axes of boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.square_of_queries, seeing.is_flat)},
                "T_q for both axes of flat masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-tiled-across-heads",
            family="mask",
            title="masks repeated in the wrong order",
            does=(
                "Repeats per-sample masks over folded (batch × heads) scores in the wrong order, "
                "so slices get another sample's mask."
            ),
            example=(
                "slices of sample  [0, 0, 1, 1]\n"
                "right mask from   [0, 0, 1, 1]\n"
                "this bug's from   [0, 1, 0, 1]"
            ),
            hurts=(
                "With B = 1 or h = 1 all is well. Otherwise some heads of a sentence use another "
                "sentence's padding: words vanish in one and padding is read in another."
            ),
            fix=(
                "If sample 0's heads come first, then each mask has to be repeated next to itself. "
                "Or keep the head axis apart and let broadcasting do it."
            ),
            hints=(
                "In which order do your folded slices come: s0h0, s0h1, s1h0, s1h1?",
                "tile gives 0 1 0 1, repeat gives 0 0 1 1. Which one fits?",
                "Look at np.tile and np.repeat (torch: repeat and repeat_interleave).",
            ),
            read=(reading.NP_REPEAT, reading.T_MHA),
            star=True,
            no_model="",
        ),
        models=(
            way({"see": seeing.given(seeing.tiled_over_heads, seeing.has_four_axes)}, only=GIVEN),
            way(
                {
                    "see": seeing.given(
                        seeing.tiled_over_heads,
                        seeing.both(seeing.has_four_axes, seeing.is_padding),
                    )
                },
                "padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.tiled_over_heads, seeing.both(seeing.has_four_axes, is_boolean)
                    )
                },
                "boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-batch-axis-on-heads",
            family="mask",
            title="the mask's samples on the heads",
            does=(
                "Lines up the sample axis of a (B, T_q, T_k) mask with the heads, so that head i "
                "gets the mask of sample i."
            ),
            example=(
                "right, sample 0  [0, 0]  # whose mask its two heads get\n"
                "right, sample 1  [1, 1]\n"
                "bug, sample 0    [0, 1]\n"
                "bug, sample 1    [0, 1]"
            ),
            hurts=(
                "It raises unless B equals h (or one is 1). Where they are equal, every sample "
                "uses all masks, one per head, and nobody is warned."
            ),
            fix=(
                "Put an axis of length 1 for the heads into the mask before it meets (B, h, T_q, "
                "T_k)."
            ),
            hints=(
                "For B = h = 2: which mask does head 1 of sample 0 get?",
                "Shapes are matched from the right, so three axes meet the last three of four.",
                "Look at mask[:, None] (torch: unsqueeze(1)) and at when it is needed.",
            ),
            read=(reading.NP_BROADCAST, reading.T_SDPA),
            equals=("mask-missing-query-axis",),
            star=True,
            no_model="",
        ),
        models=(
            way({"see": seeing.given(seeing.batch_on_heads, seeing.has_four_axes)}, only=GIVEN),
            way(
                {"see": seeing.given(seeing.batch_on_heads_swapped, seeing.has_four_axes)},
                "axes swapped",
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.batch_on_heads, seeing.both(seeing.has_four_axes, is_boolean)
                    )
                },
                "boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.batch_on_heads, seeing.both(seeing.has_four_axes, seeing.is_padding)
                    )
                },
                "padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-of-first-sample",
            family="mask",
            title="the first sample's mask for all",
            does="Uses the first sample's mask for the whole batch.",
            example=(
                "real tokens  [[True, True], [True, False]]\n"
                "right        [[0.50, 0.50], [1.00, 0.00]]\n"
                "this bug     [[0.50, 0.50], [0.50, 0.50]]"
            ),
            hurts=(
                "Sentences in a batch have different lengths. Shorter ones then read their "
                "padding, and longer ones lose their last words; the loss is noisy for no visible "
                "reason."
            ),
            fix="Keep the batch axis of the mask and let it meet the batch axis of the scores.",
            hints=(
                "Does sample 1 of your batch react when you change its own mask?",
                "mask[0] takes one mask out of B, and broadcasting then copies it to everybody.",
                "Look for [0], squeeze or expand on the mask.",
            ),
            read=(reading.NP_BROADCAST, reading.T_MHA),
            star=True,
            no_model="",
        ),
        models=(
            way({"see": seeing.given(seeing.first_sample, seeing.is_stacked)}, only=GIVEN),
            way(
                {"see": seeing.given(seeing.first_sample, seeing.is_padding)},
                "padding masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.first_sample, seeing.both(seeing.is_stacked, is_boolean)
                    )
                },
                "boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.first_sample, seeing.has_four_axes)},
                "masks with four axes",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.last_sample, seeing.is_stacked)},
                "the last sample's",
                rank=2,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.any_sample, seeing.is_stacked)},
                "any sample's",
                rank=2,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-off-by-one",
            family="mask",
            title="one padding key too many or too few",
            does=(
                "Counts the real tokens wrongly by one, so that one padding key stays visible or "
                "one real key is hidden."
            ),
            example=(
                "tokens    2\n"
                "keys      [0, 1, 2]  # key 2 is padding\n"
                "right     [[0.50, 0.50, 0.00]]\n"
                "this bug  [[0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "Each sentence attends to one padding token (or never to its last word). It is "
                "small enough not to be seen in the loss, and it is there for ever."
            ),
            fix="Key j is real when j is less than the length, counted from 0.",
            hints=(
                "How many keys get attention in a sentence of two tokens?",
                "With counting from 0, two tokens are keys 0 and 1.",
                "Look at < and <=, and at + 1 or - 1, where the mask is made or sliced.",
            ),
            read=(reading.NP_SLICES, reading.T_MHA),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"see": seeing.given(seeing.lengths_changed(1), seeing.is_padding)},
                "one padding key too many",
                only=GIVEN,
            ),
            way(
                {"see": seeing.given(seeing.lengths_changed(-1), seeing.is_padding)},
                "one real key too few",
                only=GIVEN,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.lengths_changed(1), seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "one too many, boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {
                    "see": seeing.given(
                        seeing.lengths_changed(-1), seeing.both(seeing.is_padding, is_boolean)
                    )
                },
                "one too few, boolean masks",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            *(
                way(
                    {"see": seeing.given(seeing.lengths_changed(by), seeing.is_one_row)},
                    f"{label}, masks of one row",
                    rank=1,
                    only=GIVEN,
                    paired=False,
                )
                for by, label in ((1, "one too many"), (-1, "one too few"))
            ),
            way(
                {"see": seeing.given(seeing.shifted_keys(1, True), seeing.is_padding)},
                "moved one key to the right",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.shifted_keys(-1, False), seeing.is_padding)},
                "moved one key to the left",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.shifted_keys(1, True))},
                "every mask moved to the right",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
            way(
                {"see": seeing.given(seeing.shifted_keys(-1, False))},
                "every mask moved to the left",
                rank=1,
                only=GIVEN,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="mask-wrong-form",
            family="mask",
            title="a mask of booleans or ones",
            does=(
                "Returns True/False or 1/0 from causal_mask, where the contract asks for an "
                "additive mask: 0 and a huge negative number."
            ),
            example=(
                "right mask     [[0, -1e9], [0, 0]]\n"
                "this bug's     [[1, 0], [1, 1]]\n"
                "scores         [[0, 2], [0, 2]]\n"
                "right weights  [[1.00, 0.00], [0.12, 0.88]]\n"
                "scores + bug   [[0.27, 0.73], [0.12, 0.88]]"
            ),
            hurts=(
                "Added to the scores, ones and zeros change almost nothing (the example's last "
                "line), so nothing is hidden. As an idea the mask is right; only its form is "
                "another."
            ),
            fix="Put 0.0 where attention is allowed and -1e9 (or minus infinity) where it is not.",
            hints=(
                "What happens to a hidden score when you add your mask to it?",
                "An additive mask contains what is added: nothing, or a huge negative number.",
                "Look at np.where (torch: torch.where) with your boolean mask as its condition.",
            ),
            read=(reading.DECODER, reading.T_SDPA),
            star=True,
            no_model="causal_mask alone can return it, and the form of its result says so.",
        ),
        models=(),
    ),
)

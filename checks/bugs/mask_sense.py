"""Bugs of how a mask is read: the wrong way round, lost, ignored, joined with `or`."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import seeing
from ..steps.seeing import is_boolean
from . import reading
from .ways import (
    GIVEN,
    WITH_LENGTH,
    given,
    way,
    where_rows_see_nothing,
)

BUGS = (
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
)

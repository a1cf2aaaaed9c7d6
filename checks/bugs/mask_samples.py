"""Bugs of a mask over samples and heads, by one key, and of the form of one."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import seeing
from ..steps.seeing import is_boolean
from . import reading
from .ways import (
    GIVEN,
    way,
)

BUGS = (
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

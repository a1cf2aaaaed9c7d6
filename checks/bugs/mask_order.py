"""Bugs of when the mask comes: after softmax, by renormalising, as a factor."""

from __future__ import annotations

from ..steps import blocking
from ..steps.seeing import is_additive
from .entry import Entry
from .ways import ATTENDS_CAUSALLY, GIVEN_MASK, INFINITE, rare, when_given

BUGS = (
    Entry(
        "mask-after-softmax",
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
            rare(
                {
                    "block": blocking.unmasked(),
                    "after": blocking.any_fill_added_after(-1000000000.0),
                },
                "the mask is added to probabilities",
                needs=GIVEN_MASK,
            ),
            *(
                rare({"block": blocking.unmasked(), "after": step}, label, needs=GIVEN_MASK)
                for step, label in (
                    (blocking.given_times_weights, "weights * mask"),
                    (blocking.given_plus_weights, "weights + mask"),
                    (blocking.true_cells_kept_after(0.0), "0 where the mask is false"),
                    (blocking.true_cells_kept_after(-1e9), "-1e9 where the mask is false"),
                    (blocking.renormalised_true_cells, "weights * mask, renormalised"),
                )
            ),
            rare(
                {
                    "block": blocking.unmasked(),
                    "after": blocking.additive_times_weights(-1000000000.0),
                },
                "weights * an additive mask",
                needs=ATTENDS_CAUSALLY,
            ),
            rare(
                {"block": blocking.unmasked(is_additive), "after": blocking.given_added_after},
                "the given mask is added to probabilities",
                needs=GIVEN_MASK,
            ),
        ),
    ),
    Entry(
        "mask-renormalised",
        models=(rare({"block": blocking.unmasked(), "after": blocking.renormalised_after()}),),
    ),
    Entry(
        "mask-multiplied",
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
            rare({"block": blocking.given_times_scores}, "scores * mask", needs=GIVEN_MASK),
            rare(
                {"block": blocking.multiplied_by_given}, "times the additive mask", needs=GIVEN_MASK
            ),
        ),
        equals=("mask-fill-tiny",),
    ),
)

"""Bugs of the maximum that softmax subtracts."""

from __future__ import annotations

from ..steps.softmaxes import (
    along,
    maximum_minus,
    negated,
    negated_unshifted,
    no_shift,
    normalise_without_nan,
    plus,
    scores_negated,
    shift_along,
    shift_by_largest_size,
    shift_by_mean,
    shift_by_minimum,
    shift_clipped_at_zero,
    shift_from,
    through_logarithm,
)
from .entry import Entry
from .ways import ATTENDS_WITH_HEADS, HEADS_AXIS, rare, way

BUGS = (
    Entry(
        "softmax-overflow",
        models=(
            way({"shift": no_shift}),
            rare({"shift": shift_by_minimum}, "minus the minimum"),
            rare({"shift": shift_by_mean}, "minus the mean"),
            rare(
                {"shift": no_shift, "normalise": through_logarithm},
                "through the logarithm of the sum",
            ),
            rare({"shift": no_shift, "normalise": normalise_without_nan}, "NaN made 0"),
            rare({"shift": no_shift, "normalise": plus(1e-12)}, "a tiny number in the denominator"),
        ),
    ),
    Entry(
        "softmax-global-max",
        models=(
            way({"shift": shift_along(along(None))}),
            way({"shift": shift_along(along((-2, -1)))}, "one maximum per matrix"),
            rare({"shift": shift_along(along((0, -2, -1)))}, "one maximum per head", rank=3),
            rare(
                {"shift": shift_along(along((1, -2, -1)))},
                "one maximum per sample",
                rank=3,
                needs=HEADS_AXIS,
            ),
            *(
                rare({"shift": shift_along(along(axis)), "normalise": normalise}, label)
                for axis in (None, (-2, -1))
                for normalise, label in (
                    (plus(1e-12), "a tiny number in the denominator"),
                    (through_logarithm, "through the logarithm of the sum"),
                )
            ),
        ),
        equals=("max-across-heads",),
    ),
    Entry(
        "max-across-heads",
        needs=ATTENDS_WITH_HEADS,
        models=(
            way({"shift": shift_along(along((-3, -1)))}),
            way({"shift": shift_along(along(-3))}, "at each position"),
            rare({"shift": shift_along(along((-3, -2)))}, "for each key"),
        ),
        equals=("softmax-global-max",),
    ),
    Entry(
        "softmax-sign",
        models=(
            way({"shift": maximum_minus}),
            way({"shift": negated}, "negated, then shifted"),
            way({"shift": negated_unshifted}, "exp(-s)", rank=1),
            way({"clamp": scores_negated}, "before the mask"),
        ),
    ),
    Entry(
        "softmax-max-from-zero",
        models=(
            way({"shift": shift_from(0.0)}),
            way({"shift": shift_clipped_at_zero}, "scores clipped at 0", rank=1),
            rare({"shift": shift_by_largest_size}, "the largest size, not the largest number"),
            rare(
                {"shift": shift_from(0.0), "normalise": plus(1e-12)},
                "a tiny number in the denominator",
            ),
            rare({"shift": shift_from(-1.0)}, "starts at -1"),
            rare({"shift": shift_from(1.0)}, "starts at 1", rank=2),
            rare({"shift": shift_from(-100.0)}, "starts at -100", rank=2),
            rare({"shift": shift_from(-999.0)}, "starts at -999", rank=2),
            rare({"shift": shift_from(-1000.0)}, "starts at -1000", rank=2),
        ),
    ),
)

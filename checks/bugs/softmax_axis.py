"""Bugs of the axis that softmax sums over."""

from __future__ import annotations

from ..steps.softmaxes import (
    all_but_first,
    all_but_last,
    along,
    as_one_column,
    behind_axis_0,
    by_full_transpose,
    no_shift,
    normalise_along,
    normalise_placed,
    shift_along,
    softmax_along,
    softmax_placed,
)
from .entry import Entry
from .ways import ARRAYS, HAS_SOFTMAX, HEADED, SOFTMAX_ON_ANY_AXES, rare, way

BUGS = (
    Entry(
        "softmax-over-queries",
        models=(
            way(softmax_along(-2)),
            way({"normalise": normalise_along(along(-2))}, "the sum only"),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along(-2))},
                "no shift",
                rank=2,
                also="softmax-overflow",
            ),
            rare(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along(-2))},
                "one maximum for all",
                rank=2,
                also="softmax-global-max",
            ),
            rare(
                {"shift": shift_along(along((-2, -1))), "normalise": normalise_along(along(-2))},
                "one maximum per matrix",
                rank=2,
                also="softmax-global-max",
            ),
            rare({"shift": shift_along(along(-2))}, "the maximum only", rank=3),
            *(
                rare(replaces, f"{label}{part}", rank=2, needs=HAS_SOFTMAX)
                for axis_of, label in (
                    (all_but_last, "every query of every sample and head"),
                    (along((0, -2)), "the queries of all samples"),
                )
                for replaces, part in (
                    (softmax_along(axis_of), ""),
                    ({"normalise": normalise_along(axis_of)}, ", the sum only"),
                )
            ),
        ),
        equals=("softmax-over-batch", "softmax-axis-hard-coded", "softmax-no-keepdims"),
    ),
    Entry(
        "softmax-over-batch",
        backends=ARRAYS,
        models=(
            way(softmax_along(0), rank=1),
            way({"normalise": normalise_along(along(0))}, "the sum only", rank=1),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along(0))},
                "no shift",
                rank=3,
                also="softmax-overflow",
            ),
            rare(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along(0))},
                "one maximum for all",
                rank=3,
                also="softmax-global-max",
            ),
            way(softmax_along(1), "axis 1: the heads", rank=2, needs=HEADED),
            rare(
                {"normalise": normalise_along(along(1))},
                "axis 1, the sum only",
                rank=3,
                needs=HEADED,
            ),
        ),
        equals=("softmax-over-queries", "softmax-axis-hard-coded"),
    ),
    Entry(
        "softmax-axis-hard-coded",
        raises_in=("sum", "max", "amax", "softmax"),
        backends=ARRAYS,
        models=(
            way(softmax_along(1), "axis 1", rank=2, needs=SOFTMAX_ON_ANY_AXES),
            way(softmax_along(2), "axis 2", rank=2, needs=SOFTMAX_ON_ANY_AXES),
            way(softmax_along(3), "axis 3", rank=2, needs=SOFTMAX_ON_ANY_AXES),
            way(
                {"normalise": normalise_along(along(1))},
                "axis 1, the sum only",
                rank=2,
                needs=SOFTMAX_ON_ANY_AXES,
            ),
            way(
                {"normalise": normalise_along(along(2))},
                "axis 2, the sum only",
                rank=2,
                needs=SOFTMAX_ON_ANY_AXES,
            ),
            rare(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along(1))},
                "axis 1, one maximum for all",
                rank=3,
                needs=SOFTMAX_ON_ANY_AXES,
                also="softmax-global-max",
            ),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along(1))},
                "axis 1, no shift",
                rank=3,
                needs=SOFTMAX_ON_ANY_AXES,
                also="softmax-overflow",
            ),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along(2))},
                "axis 2, no shift",
                rank=3,
                needs=SOFTMAX_ON_ANY_AXES,
                also="softmax-overflow",
            ),
            rare(
                {"shift": shift_along(along(1))},
                "axis 1, the maximum only",
                rank=3,
                needs=SOFTMAX_ON_ANY_AXES,
            ),
            rare({"shift": shift_along(along(0))}, "axis 0, the maximum only", rank=3),
            rare(
                softmax_along(all_but_first),
                "a loop over axis 0",
                rank=2,
                needs=SOFTMAX_ON_ANY_AXES,
            ),
            rare(
                {"normalise": normalise_along(all_but_first)},
                "a loop over axis 0, the sum only",
                rank=2,
                needs=SOFTMAX_ON_ANY_AXES,
            ),
            *(
                rare(replaces, label, rank=2, needs=SOFTMAX_ON_ANY_AXES, also=also)
                for place, name in (
                    (as_one_column(1), "axis 1 as one column"),
                    (as_one_column(-1), "the sums as one column"),
                    (behind_axis_0(1), "axis 1, a new axis behind the first"),
                    (behind_axis_0(-1), "a new axis behind the first"),
                    (by_full_transpose(1), "axis 1, through .T"),
                    (by_full_transpose(-1), "through .T"),
                )
                for replaces, label, also in (
                    (softmax_placed(place), name, ""),
                    ({"normalise": normalise_placed(place)}, f"{name}, the sum only", ""),
                    (
                        {"shift": no_shift, "normalise": normalise_placed(place)},
                        f"{name}, no shift",
                        "softmax-overflow",
                    ),
                    (
                        {"shift": shift_along(along(None)), "normalise": normalise_placed(place)},
                        f"{name}, one maximum for all",
                        "softmax-global-max",
                    ),
                )
            ),
        ),
        equals=("softmax-over-queries", "softmax-over-batch"),
    ),
)

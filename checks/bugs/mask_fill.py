"""Bugs of what a mask puts in the place of a masked score."""

from __future__ import annotations

from .. import facts
from ..steps import blocking
from ..steps.seeing import is_additive, is_boolean
from .entry import Entry
from .ways import GIVEN_MASK, INFINITE, Fitted, Quantity, rare, way, when_given

BUGS = (
    Entry(
        "mask-fill-tiny",
        shown_by=facts.tiny_literal,
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
                lambda c: rare({"block": blocking.filled(c)}, f"{c:.3g}"),
            ),
            Fitted(
                Quantity.TINY_FILL,
                lambda c: rare(
                    {"block": blocking.filled(c, is_boolean)},
                    f"{c:.3g}, boolean masks only",
                    needs=GIVEN_MASK,
                ),
            ),
            way({"close": blocking.closed_with(0.0, -1e-09)}, "-1e-9"),
            way({"close": blocking.closed_with(0.0, 1e-09)}, "1e-9"),
            Fitted(
                Quantity.TINY_CLOSED,
                lambda c: way({"close": blocking.closed_with(0.0, c)}, f"{c:.3g}"),
            ),
        ),
        equals=("mask-multiplied",),
    ),
    Entry(
        "mask-fill-too-small",
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
                    needs=GIVEN_MASK,
                ),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: rare(
                    {"block": blocking.filled(c, is_additive)},
                    f"{c:.6g}, additive masks only",
                    rank=2,
                    needs=GIVEN_MASK,
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
                    needs=GIVEN_MASK,
                ),
            ),
            Fitted(
                Quantity.SMALL_FILL,
                lambda c: rare(
                    {"block": blocking.added(c, is_additive)},
                    f"{c:.6g}, added for additive masks",
                    rank=2,
                    needs=GIVEN_MASK,
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
        equals=("mask-added-as-boolean",),
    ),
    Entry(
        "mask-fill-positive",
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
                rare(
                    {"block": blocking.given_subtracted(blocking.added(fill))},
                    "the given mask is subtracted",
                    needs=GIVEN_MASK,
                )
                for fill in (1e9, -1e9, INFINITE, -INFINITE)
            ),
            way({"close": blocking.closed_with(0.0, INFINITE)}, "inf"),
            Fitted(
                Quantity.POSITIVE_CLOSED,
                lambda c: way({"close": blocking.closed_with(0.0, c)}, f"{c:.3g}"),
            ),
        ),
        equals=("mask-inverted", "causal-inverted"),
    ),
    Entry(
        "mask-added-as-boolean",
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
        equals=("mask-fill-too-small",),
    ),
    Entry(
        "mask-zero-times-inf",
        models=(
            *when_given(lambda when: {"block": blocking.zero_times_infinity(when)}),
            *when_given(
                lambda when: {"block": blocking.keep_times_infinity(when)},
                "the keep-mask times -inf",
                rank=1,
                paired=False,
            ),
            way({"close": blocking.closed_nan}),
            way({"close": blocking.closed_nan_kept}, "the keep-mask times -inf", rank=1),
        ),
        equals=("mask-bitwise-not",),
    ),
)

"""Bugs of dtypes: digits lost, fills that do not fit."""

from __future__ import annotations

from ..steps import scalings, softmaxes
from .entry import Entry
from .ways import GIVEN_KEYS, GIVEN_SCORES, PROJECTS, Fitted, Quantity, way

BUGS = (
    Entry("precision-lost"),
    Entry(
        "numbers-rounded",
        models=(
            Fitted(
                Quantity.DECIMALS,
                lambda n: way(
                    {"clamp": scalings.rounded("scores", int(n))},
                    f"the scores, to {n:.0f}",
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: way(
                    {"after": scalings.rounded("weights", int(n))},
                    f"the weights, to {n:.0f}",
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: way(
                    {"normalise": softmaxes.normalise_rounded(int(n))},
                    f"the weights, to {n:.0f}",
                    paired=False,
                    needs=GIVEN_SCORES,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: way(
                    {"end": scalings.rounded("output", int(n))},
                    f"the output, to {n:.0f}",
                    rank=1,
                    paired=False,
                    needs=PROJECTS,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: way(
                    {"scale": scalings.by(scalings.rounded_root(int(n)))},
                    f"the root, to {n:.0f} decimals",
                    rank=1,
                    paired=False,
                ),
            ),
            way({"clamp": scalings.cut_off}, "cut off at the point", rank=1, paired=False),
            way({"scale": scalings.floored}, "divided with //", rank=2, paired=False),
        ),
        equals=("scale-precedence",),
    ),
    Entry(
        "integer-scores-buffer",
        models=(
            way({"scale": scalings.into_integers}, needs=GIVEN_KEYS),
            way({"scale": scalings.floor_divided}, "divided with //", rank=1, needs=GIVEN_KEYS),
            way(
                {"scale": scalings.raises_on_integers},
                "divided in place",
                rank=1,
                needs=GIVEN_KEYS,
            ),
        ),
    ),
    Entry("half-fill-overflow"),
    Entry("half-min-plus-score"),
    Entry("mask-dtype-promotes"),
)

"""Bugs of dtypes: digits lost, fills that do not fit."""

from __future__ import annotations

from .. import facts
from ..steps import products, scalings, softmaxes
from .entry import Entry
from .ways import GIVEN_KEYS, GIVEN_SCORES, PROJECTS, Fitted, Quantity, rare, way

BUGS = (
    Entry("precision-lost"),
    Entry(
        "numbers-rounded",
        shown_by=facts.rounds,
        models=(
            Fitted(
                Quantity.DECIMALS,
                lambda n: rare(
                    {"clamp": scalings.rounded("scores", int(n))}, f"the scores, to {n:.0f}", rank=0
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: rare(
                    {"after": scalings.rounded("weights", int(n))},
                    f"the weights, to {n:.0f}",
                    rank=0,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: rare(
                    {"normalise": softmaxes.normalise_rounded(int(n))},
                    f"the weights, to {n:.0f}",
                    rank=0,
                    needs=GIVEN_SCORES,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: rare(
                    {"apply": products.attended_rounded(int(n))},
                    f"what is attended, to {n:.0f}",
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: rare(
                    {"end": scalings.rounded("output", int(n))},
                    f"the output, to {n:.0f}",
                    needs=PROJECTS,
                ),
            ),
            Fitted(
                Quantity.DECIMALS,
                lambda n: rare(
                    {"scale": scalings.by(scalings.rounded_root(int(n)))},
                    f"the root, to {n:.0f} decimals",
                ),
            ),
            rare({"clamp": scalings.cut_off}, "cut off at the point"),
            rare({"scale": scalings.floored}, "divided with //", rank=2),
        ),
        equals=("scale-precedence",),
    ),
    Entry(
        "integer-scores-buffer",
        raises_in=("divide",),
        needs=GIVEN_KEYS,
        models=(
            way({"scale": scalings.into_integers}),
            way({"scale": scalings.floor_divided}, "divided with //", rank=1),
            way({"scale": scalings.raises_on_integers}, "divided in place", rank=1),
        ),
    ),
    Entry("half-fill-overflow"),
    Entry("half-min-plus-score"),
    Entry("mask-dtype-promotes"),
)

"""Bugs of dtypes: digits lost, fills that do not fit."""

from __future__ import annotations

from ..steps import scalings
from .entry import Entry
from .ways import GIVEN, SCORES, way

BUGS = (
    Entry("precision-lost"),
    Entry(
        "integer-scores-buffer",
        models=(
            way({"scale": scalings.into_integers}, only=GIVEN | SCORES),
            way({"scale": scalings.floor_divided}, "divided with //", rank=1, only=GIVEN | SCORES),
            way(
                {"scale": scalings.raises_on_integers},
                "divided in place",
                rank=1,
                only=GIVEN | SCORES,
            ),
        ),
    ),
    Entry("half-fill-overflow"),
    Entry("half-min-plus-score"),
    Entry("mask-dtype-promotes"),
)

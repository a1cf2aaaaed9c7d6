"""Bugs of what is given back."""

from __future__ import annotations

from ..steps import products
from .entry import Entry
from .ways import CLASSES, GIVEN, HEADS, SCORES, way

BUGS = (
    Entry(
        "returns-swapped",
        models=(way({"finish": products.finished("weights", "attended")}, only=GIVEN),),
    ),
    Entry(
        "returns-one-thing",
        models=(
            way({"finish": products.finished("attended")}, "the output", only=GIVEN),
            way({"finish": products.finished("weights")}, "the weights", only=GIVEN),
        ),
    ),
    Entry(
        "output-never-filled",
        models=(
            way(
                {"apply": products.never_filled},
                "the output",
                only=GIVEN | frozenset({"apply_attention"}),
            ),
            way({"out": products.output_never_filled}, only=CLASSES),
            way(
                {"apply": products.never_filled},
                "what is attended",
                rank=1,
                paired=False,
                only=CLASSES,
            ),
            way({"join": products.joined_never_filled}, "the heads' buffer", rank=1, only=HEADS),
            way(
                {"scale": products.scores_never_filled},
                "the scores",
                rank=1,
                only=GIVEN | SCORES | CLASSES,
            ),
            way(
                {"normalise": products.weights_never_filled},
                "the weights",
                rank=1,
                only=frozenset({"softmax"}) | GIVEN,
            ),
            way(
                {"normalise": products.weights_never_filled, "apply": products.never_filled},
                "both results",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
)

"""Bugs of what is given back."""

from __future__ import annotations

from ..steps import products
from .entry import Entry
from .ways import (
    HAS_SCORES,
    HEADED,
    PROJECTS,
    RETURNS_ATTENDED,
    RETURNS_BOTH,
    RETURNS_WEIGHTS,
    rare,
    way,
)
from .where import Value, Where

BUGS = (
    Entry(
        "returns-swapped",
        where=Where(value=Value.RETURNED),
        models=(way({"finish": products.finished("weights", "attended")}, needs=RETURNS_BOTH),),
    ),
    Entry(
        "returns-one-thing",
        needs=RETURNS_BOTH,
        where=Where(value=Value.RETURNED),
        models=(
            way({"finish": products.finished("attended")}, "the output"),
            way({"finish": products.finished("weights")}, "the weights"),
        ),
    ),
    Entry(
        "output-never-filled",
        models=(
            way({"apply": products.never_filled}, "the output", needs=RETURNS_ATTENDED),
            way({"out": products.output_never_filled}, needs=PROJECTS),
            rare({"apply": products.never_filled}, "what is attended", needs=PROJECTS),
            way({"join": products.joined_never_filled}, "the heads' buffer", rank=1, needs=HEADED),
            way({"scale": products.scores_never_filled}, "the scores", rank=1, needs=HAS_SCORES),
            way(
                {"normalise": products.weights_never_filled},
                "the weights",
                rank=1,
                needs=RETURNS_WEIGHTS,
            ),
            rare(
                {"normalise": products.weights_never_filled, "apply": products.never_filled},
                "both results",
                needs=RETURNS_BOTH,
            ),
        ),
    ),
)

"""Bugs of the output projection."""

from __future__ import annotations

from ..steps import projecting
from .entry import Entry
from .ways import CLASSES, HEADS, way

BUGS = (
    Entry(
        "output-projection-missing",
        models=(way({"out": projecting.no_output_projection}, only=CLASSES),),
    ),
    Entry(
        "output-projection-per-head",
        models=(
            way({"out": projecting.output_per_head}, only=HEADS),
            way(
                {"out": projecting.output_first_block_per_head},
                "the same block for all",
                only=HEADS,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Entry(
        "output-projection-transposed",
        models=(
            way({"out": projecting.output_transposed()}, only=CLASSES),
            way(
                {"out": projecting.output_transposed(bias=False)},
                "without the bias",
                only=CLASSES,
                rank=1,
                paired=False,
                tags=frozenset({"torch"}),
            ),
        ),
    ),
)

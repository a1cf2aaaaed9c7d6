"""Bugs of the output projection."""

from __future__ import annotations

from ..steps import projecting
from .entry import Entry
from .ways import HEADED, PROJECTS, way

BUGS = (
    Entry(
        "output-projection-missing",
        models=(way({"out": projecting.no_output_projection}, needs=PROJECTS),),
    ),
    Entry(
        "output-projection-per-head",
        models=(
            way({"out": projecting.output_per_head}, needs=HEADED),
            way(
                {"out": projecting.output_first_block_per_head},
                "the same block for all",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Entry(
        "output-projection-transposed",
        models=(
            way({"out": projecting.output_transposed()}, needs=PROJECTS),
            way(
                {"out": projecting.output_transposed(bias=False)},
                "without the bias",
                needs=PROJECTS,
                rank=1,
                paired=False,
                tags=frozenset({"torch"}),
            ),
        ),
    ),
)

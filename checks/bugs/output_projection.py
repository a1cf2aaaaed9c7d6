"""Bugs of the output projection."""

from __future__ import annotations

from ..steps import projecting
from .entry import Entry
from .ways import HEADED, PROJECTS, rare, way

BUGS = (
    Entry(
        "output-projection-missing",
        models=(way({"out": projecting.no_output_projection}, needs=PROJECTS),),
    ),
    Entry(
        "output-projection-per-head",
        needs=HEADED,
        models=(
            way({"out": projecting.output_per_head}),
            rare({"out": projecting.output_rows_per_head}, "its own rows, the first columns"),
            rare({"out": projecting.output_first_block_per_head}, "the same block for all"),
        ),
    ),
    Entry(
        "output-projection-transposed",
        needs=PROJECTS,
        models=(
            way({"out": projecting.output_transposed()}),
            rare(
                {"out": projecting.output_transposed(bias=False)},
                "without the bias",
                tags=frozenset({"torch"}),
            ),
        ),
    ),
)

"""Bugs that only the backward pass shows."""

from __future__ import annotations

from .. import facts
from .entry import Entry
from .where import Value, Where, derivative, in_place, noted, raw_numbers

BUGS = (
    Entry(
        "graph-detached",
        where=Where(noted("detached_at"), Value.DETACHED, raw_numbers),
    ),
    Entry(
        "gradient-wrong",
        shown_by=facts.hand_written_backward,
        where=Where(written=derivative),
    ),
    Entry("gradient-nan", where=Where(value=Value.DEPARTING)),
    Entry("inplace-breaks-graph", says=("inplace", "in-place"), where=Where(in_place)),
    Entry("cache-in-graph"),
)

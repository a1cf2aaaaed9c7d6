"""Bugs that only the backward pass shows."""

from __future__ import annotations

from .. import facts
from .entry import Entry

BUGS = (
    Entry("graph-detached"),
    Entry("gradient-wrong", shown_by=facts.hand_written_backward),
    Entry("gradient-nan"),
    Entry("inplace-breaks-graph", says=("inplace", "in-place")),
    Entry("cache-in-graph"),
)

"""Bugs that only the backward pass shows."""

from __future__ import annotations

from .entry import Entry

BUGS = (
    Entry("graph-detached"),
    Entry("gradient-wrong"),
    Entry("gradient-nan"),
    Entry("inplace-breaks-graph", says=("inplace", "in-place")),
    Entry("cache-in-graph"),
)

"""Slips of the language: what Python or numpy reads otherwise than it was meant."""

from __future__ import annotations

from .entry import Entry

BUGS = (
    Entry("nothing-returned"),
    Entry("returns-early"),
    Entry("result-not-unpacked"),
    Entry("function-not-called"),
    Entry("rows-shared"),
    Entry("truth-of-array"),
)

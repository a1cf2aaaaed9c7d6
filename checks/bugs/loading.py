"""What keeps code from being judged at all, and the bug without a name."""

from __future__ import annotations

from .entry import Entry

BUGS = (
    Entry("raises"),
    Entry("never-returns"),
    Entry("ends-process"),
    Entry("uses-built-in-attention"),
    Entry("unrecognised"),
)

"""What keeps code from being judged at all, and the bug without a name."""

from __future__ import annotations

from .entry import Entry
from .where import Where, end_of_the_process, loop, noted

BUGS = (
    Entry("raises", where=Where(symptom=True)),
    Entry("never-returns", where=Where(noted("at"), written=loop, traced=False)),
    Entry("ends-process", where=Where(noted("at"), written=end_of_the_process, traced=False)),
    Entry("uses-built-in-attention", where=Where(noted("called_at"), traced=False)),
    Entry("unrecognised", where=Where(symptom=True)),
)

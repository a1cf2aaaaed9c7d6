"""What a pack of functions is made of: write exercises and bugs, and leave the rest to this.

A pack's author gives, for each function to write, how it is done right step by step, what to ask,
and for each bug which step it replaces (docs/authors.md). Out of that come the judging in stages,
the search for the bug and for two of them together, the line, and `attnpack dev check`.

Nothing here imports numpy before an exercise is asked about.
"""

from __future__ import annotations

from attnpack.authoring.exercise import SHAPES, VALUES, Exercise
from attnpack.authoring.function_pack import FunctionPack
from attnpack.authoring.ways import bug, way
from attnpack.terms import Stage

__all__ = ["SHAPES", "VALUES", "Exercise", "FunctionPack", "Stage", "bug", "way"]

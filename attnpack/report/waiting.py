"""One line on standard error while a check runs; nothing where that is no terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from attnpack.report import glyphs, prose, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from attnpack.report.model import ExerciseReport

MARGIN: Final = 1
"""columns left free, so that no terminal wraps the line"""


@contextmanager
def waiting(exercises: Sequence[str]) -> Iterator[Callable[[ExerciseReport], None]]:
    """Yields what is to be called with each verdict; the line is gone when the block ends."""
    stream = sys.stderr
    if not stream.isatty():
        yield lambda _: None
        return
    signs = glyphs.for_encoding(stream.encoding)
    left = list(exercises)

    def line(text: str) -> None:
        room = prose.columns() - MARGIN
        stream.write(f"\r{text[:room]:<{room}}\r")
        stream.flush()

    def judged(report: ExerciseReport) -> None:
        left.remove(report.name)
        if left:
            verdict = f"{signs.marks[report.status]} {words.STATUS_WORD[report.status]}"
            line(f"{report.name} {verdict}, checking {left[0]} ...")

    line(f"checking {left[0]} ...")
    try:
        yield judged
    finally:
        line("")

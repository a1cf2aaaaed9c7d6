"""One line that is written over while a check runs; nothing where there is no terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from attnpack.report import glyphs, prose, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from attnpack.report.model import ExerciseReport

MARGIN: Final = 1
"""columns left free, so that no terminal wraps the line"""


class PassingLine:
    """The last line of a terminal, as long as nothing else is written there."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = ""

    def show(self, text: str) -> None:
        """Write over what the line says."""
        if text == self._shown or not self._stream.isatty():
            return
        room = prose.columns() - MARGIN
        written = glyphs.for_encoding(self._stream.encoding).text(text)
        self._stream.write(f"\r{written[:room]:<{room}}\r")
        self._stream.flush()
        self._shown = text

    def clear(self) -> None:
        """Leave the line as it was."""
        self.show("")


@contextmanager
def waiting(exercises: Sequence[str]) -> Iterator[Callable[[ExerciseReport], None]]:
    """Yields what is to be called with each verdict; the line is gone when the block ends."""
    line = PassingLine(sys.stderr)
    left = list(exercises)

    def judged(report: ExerciseReport) -> None:
        left.remove(report.name)
        if left:
            verdict = f"{words.STATUS_MARK[report.status]} {words.STATUS_WORD[report.status]}"
            line.show(f"{report.name} {verdict}, checking {left[0]} ...")

    line.show(f"checking {left[0]} ...")
    try:
        yield judged
    finally:
        line.clear()

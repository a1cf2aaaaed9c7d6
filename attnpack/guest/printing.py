"""What learner code prints: lines leave at once, and beyond a cap nothing leaves at all.

The pipe to the host holds little: whoever prints megabytes would wait for the host, longer on a
busy machine.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MOST = 66 << 10
"""bytes of each stream; a little more than the host keeps, so that it sees that there was more"""


class _Capped(io.RawIOBase):
    """A descriptor that takes so many bytes; those beyond them are dropped and cost nothing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = MOST

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """All of it, as it seems."""
        view = memoryview(data).cast("B")
        kept = view[: self._left]
        self._left -= len(kept)
        while kept:
            kept = kept[os.write(self._descriptor, kept) :]
        return len(view)


def use_capped_output() -> None:
    """Standard output and standard error: UTF-8, line by line, capped."""
    sys.stdout = sys.__stdout__ = _stream(1)  # type: ignore[misc]  # Final for others
    sys.stderr = sys.__stderr__ = _stream(2)  # type: ignore[misc]  # Final for others


def _stream(descriptor: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(_Capped(descriptor)),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )

"""The ledger of a grading run: append-only JSON lines, each under its own checksum.

A line is `{"sum":"<32 hex digits>","entry":{...}}`; the sum is the start of the SHA-256 of the
entry's text. A torn last line or a flipped bit costs the line it is in and no other.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

FILE_NAME = "ledger.jsonl"
_MARK = b'{"sum":"'
_BETWEEN = b'","entry":'
_ENDS = (b"}\n", b"}\r\n", b"}")
_SUM = 32

Entry = dict[str, Any]


class Sync(Enum):
    """When an entry must be on the disk."""

    NOW = "now"
    LATER = "later"
    """with the next one that must; it can be made again"""


@dataclass(frozen=True)
class Reading:
    """What a ledger holds."""

    entries: tuple[Entry, ...]
    damaged: tuple[int, ...] = ()
    """numbers of the lines that hold something unreadable"""


class Ledger:
    """A ledger open for appending."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(
            path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        )
        self._mend_end()

    def append(self, entry: Entry, sync: Sync = Sync.NOW) -> None:
        """Write one entry and, unless told otherwise, wait until it is on the disk."""
        text = json.dumps(entry, separators=(",", ":")).encode()
        line = b"".join((_MARK, _sum(text), _BETWEEN, text, b"}\n"))
        view = memoryview(line)
        while view:
            view = view[os.write(self._file, view) :]
        if sync is Sync.NOW:
            os.fsync(self._file)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _mend_end(self) -> None:
        """Start on a fresh line after one that was cut short."""
        end = os.lseek(self._file, 0, os.SEEK_END)
        if end:
            os.lseek(self._file, end - 1, os.SEEK_SET)
            if os.read(self._file, 1) != b"\n":
                os.write(self._file, b"\n")


def read_ledger(path: Path) -> Reading:
    """Every valid entry in order, and where the damage is. A missing file holds nothing."""
    entries: list[Entry] = []
    damaged = []
    if path.exists():
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                found = list(_entries_in(line))
                entries += [entry for entry in found if entry is not None]
                if None in found:
                    damaged.append(number)
    return Reading(tuple(entries), tuple(damaged))


def _entries_in(line: bytes) -> Iterator[Entry | None]:
    """The entries of a line; None for each piece that is not one.

    There is one to a line, unless the newline between two was hit. The mark cannot occur inside
    a valid entry: JSON escapes every quotation mark there.
    """
    if not line.strip():
        return
    head, *pieces = line.split(_MARK)
    if head:
        yield None
    for piece in pieces:
        yield _entry(piece)
        if piece[piece.rfind(b"}") :] not in _ENDS:
            yield None


def _entry(piece: bytes) -> Entry | None:
    end = piece.rfind(b"}")
    text = piece[_SUM + len(_BETWEEN) : end]
    if piece[:_SUM] != _sum(text) or piece[_SUM : _SUM + len(_BETWEEN)] != _BETWEEN:
        return None
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _sum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:_SUM].encode()

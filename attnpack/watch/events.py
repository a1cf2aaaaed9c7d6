"""What can happen while watching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Saved:
    """Files whose content is another than before, and has settled; also new and deleted ones."""

    names: frozenset[str]


@dataclass(frozen=True)
class Key:
    """A key that was pressed, as its lower-case character."""

    character: str


@dataclass(frozen=True)
class NowPolling:
    """The file system announces nothing, so the files are read again and again instead."""

    reason: str


@dataclass(frozen=True)
class Closed:
    """The keyboard is gone: end of input."""


Event: TypeAlias = Saved | Key | NowPolling | Closed

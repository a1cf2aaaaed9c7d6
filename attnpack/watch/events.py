"""What can happen while watching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from attnpack.report.model import Report
    from attnpack.submission import Submission


@dataclass(frozen=True)
class Saved:
    """Files whose content is another than before, and has settled; also new and deleted ones."""

    names: frozenset[str]


@dataclass(frozen=True)
class Key:
    """A key that was pressed, as its lower-case character."""

    character: str


@dataclass(frozen=True)
class Checked:
    """A check came to its end."""

    number: int
    """which one: of a check that was stopped, nothing is shown"""
    submission: Submission
    report: Report
    took_s: float


@dataclass(frozen=True)
class NotChecked:
    """A check could not be made."""

    number: int
    error: Exception


@dataclass(frozen=True)
class Traced:
    """The lines that were asked for are on the screen."""


@dataclass(frozen=True)
class NowPolling:
    """The file system announces nothing, so the files are read again and again instead."""

    reason: str


@dataclass(frozen=True)
class Closed:
    """The keyboard is gone: end of input."""


Event: TypeAlias = Saved | Key | Checked | NotChecked | Traced | NowPolling | Closed

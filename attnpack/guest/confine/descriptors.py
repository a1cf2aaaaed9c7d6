"""Descriptors: those that are kept, and nowhere to read from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from collections.abc import Iterable

_LAST = 0xFFFFFFFF


def close_all_but(kept: Iterable[int]) -> None:
    """Close every descriptor that is not named."""
    start = 0
    for descriptor in sorted(set(kept)):
        if start < descriptor:
            _close(start, descriptor - 1)
        start = descriptor + 1
    _close(start, _LAST)


def read_from_nowhere() -> None:
    """Standard input is at its end."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    if nowhere != 0:
        os.close(nowhere)


def _close(first: int, last: int) -> None:
    try:
        call("close_range", first, last, 0)
    except OSError:
        os.closerange(first, min(last, os.sysconf("SC_OPEN_MAX")) + 1)

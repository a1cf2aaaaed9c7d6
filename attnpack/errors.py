"""What ends a command early. `attnpack.cli` maps each to its exit code."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class BadInputError(Exception):
    """A word, file or folder that cannot be used as asked: the message says what to do. Exit 2."""


class StoppedError(Exception):
    """A check was stopped, and nobody waits for its verdict: never shown."""


class OwnFaultError(Exception):
    """A fault of attnpack or of the machine, never the learner's. Exit 3."""


@contextmanager
def in_words(place: Path) -> Iterator[None]:
    """Turn an OSError on files under `place` into a BadInputError that says what to do."""
    try:
        yield
    except OSError as error:
        raise BadInputError(_sentence(error, place)) from error


def _sentence(error: OSError, place: Path) -> str:
    where = error.filename or place
    match error.errno:
        case errno.ENOSPC:
            return f"The disk is full: {where} could not be written. Free some space, then repeat."
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return f"No permission to write {where}. Choose a folder that is yours."
        case errno.ENOENT:
            return (
                f"{where} could not be written: its folder is no longer there. If you moved it, "
                "go to where it is now."
            )
        case errno.ENOTDIR | errno.EEXIST:
            return f"{where} is in the way: a file stands where a folder is needed. Move it away."
        case errno.EISDIR:
            return f"{where} is in the way: a folder stands where a file is needed. Move it away."
        case _:
            return f"{where} could not be written: {error.strerror or error}"

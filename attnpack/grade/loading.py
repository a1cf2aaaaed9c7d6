"""In a worker: a job's files as `attnpack check` would load them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack.errors import BadInputError
from attnpack.grade.archive import UnreadableError
from attnpack.grade.choosing import Chosen, NothingToReadError, choose
from attnpack.grade.worker_limits import READING_S, TooSlowError, cpu_limit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.pack import Pack
    from attnpack.submission import Submission

_CANNOT_BE_READ = (NothingToReadError, BadInputError, ValueError, RecursionError, MemoryError)


def load(files: Mapping[str, bytes], pack: Pack | None = None) -> Submission:
    """The files as a submission; to attnpack's own pack if not said. Raises UnreadableError."""
    return load_with_names(files, pack).submission


def load_with_names(files: Mapping[str, bytes], pack: Pack | None = None) -> Chosen:
    """The same as `load`, and how the student had named the files. Raises UnreadableError."""
    try:
        with cpu_limit(READING_S):
            return choose(files, pack or packs.load())
    except TooSlowError as error:
        message = f"reading it took more than {READING_S:.0f} seconds of computing"
        raise UnreadableError(message) from error
    except _CANNOT_BE_READ as error:
        raise UnreadableError(str(error)) from error

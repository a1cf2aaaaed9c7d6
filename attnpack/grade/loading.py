"""In a worker: a job's files as `attnpack check` would load them."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack import submission as submissions
from attnpack.errors import BadInputError
from attnpack.grade.archive import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.pack import Pack
    from attnpack.submission import Submission

_CANNOT_BE_READ = (BadInputError, OSError, ValueError, RecursionError, MemoryError)


def load(files: Mapping[str, bytes], pack: Pack | None = None) -> Submission:
    """The files as a submission, by way of a folder that lasts for a moment.

    It is one to attnpack's own pack if not said. Raises UnreadableError.
    """
    with tempfile.TemporaryDirectory(prefix="attnpack-") as place:
        folder = Path(place)
        try:
            for name, content in files.items():
                (folder / name).write_bytes(content)
            loaded = _load(folder, sorted(files), pack or packs.load())
        except _CANNOT_BE_READ as error:
            raise UnreadableError(
                str(error).replace(f"{place}/", "").replace(place, "it")
            ) from error
    return replace(loaded, root=Path())


def _load(folder: Path, names: Sequence[str], pack: Pack) -> Submission:
    """The folder as a submission; where no file is named as an exercise, the fullest of them.

    Raises BadInputError and what reading files raises.
    """
    exercise_files = {exercise.file for exercise in pack.exercises}
    if not exercise_files.isdisjoint(names):
        return submissions.load(folder, pack)
    candidates = [submissions.load(folder / name, pack) for name in names]
    fullest = max(candidates, key=lambda candidate: len(candidate.entries))
    if len(candidates) == 1 or fullest.form is submissions.Form.NOTEBOOK:
        return fullest
    beside = {file: text for c in candidates for file, text in c.sources.items() if not c.cells}
    return replace(fullest, form=submissions.Form.FOLDER, sources={**beside, **fullest.sources})

"""Copies of what the learner had, in `.attnpack/backups`, made before anything takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.workspace import progress
from attnpack.workspace.stubs import digest, text_of

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@dataclass(frozen=True)
class Restored:
    """What `reset` did with one file."""

    file: str
    backup: Path | None
    """None where the file was missing or was the stub already"""


def restore(path: Path, stub: str, folder: Path) -> Restored:
    """Write a stub in place of a file, which goes to the folder where it is not the stub."""
    if path.is_file() and digest(text_of(path)) == digest(stub):
        return Restored(path.name, None)
    if not (path.exists() or path.is_symlink()):
        progress.write_whole(path, stub)
        return Restored(path.name, None)
    backup = folder / path.name
    progress.write_in_place_of(path, stub, backup)
    return Restored(path.name, backup)


def fresh_folder(root: Path, now: datetime) -> Path:
    """A folder for backups, named by the time, that does not exist yet."""
    name = now.strftime("%Y-%m-%d-%H%M%S")
    folder = root / progress.FOLDER / "backups" / name
    number = 2
    while folder.exists():
        folder = folder.with_name(f"{name}-{number}")
        number += 1
    return folder

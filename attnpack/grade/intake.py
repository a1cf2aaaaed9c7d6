"""From a hand-in to what is judged: files under names that tell nobody apart."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING

from attnpack.checking import own_faults
from attnpack.grade.archive import UnreadableError
from attnpack.grade.discover import HandIn, read

if TYPE_CHECKING:
    from collections.abc import Mapping

LONE_STEM = "attention"
"""what a lone file is judged as: equal texts are then one submission, whatever their names"""


@dataclass(frozen=True)
class Intake:
    """One submission, read but not looked into: that is for the workers."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    backend: str | None = None
    """where it is not to be read off the imports"""
    shown: Mapping[str, str] = field(default_factory=dict)
    """the name in `files` -> the student's name for the file, where they differ"""
    problem: str = ""
    """why it cannot be read"""
    notes: tuple[str, ...] = ()
    """what is not read of it, and which of several attempts is"""

    @cached_property
    def sha256(self) -> str:
        """The hash of backend, names and contents: equal for equal submissions."""
        digest = hashlib.sha256(f"{self.backend or ''}\0".encode())
        for name, content in sorted(self.files.items()):
            digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
            digest.update(content)
        return digest.hexdigest()


def take_in(hand_in: HandIn, backend: str | None = None) -> Intake:
    """Read a hand-in. What cannot be read says so in `problem`; nothing is raised."""
    try:
        basket = read(hand_in)
    except (UnreadableError, OSError) as error:
        return Intake(problem=str(error))
    except Exception as error:  # noqa: BLE001  whatever is in it, it is this submission's problem
        return Intake(problem=own_faults.tell(error, hand_in.submission))
    notes = tuple(dict.fromkeys(basket.notes))
    files = without_common_folders(basket.files)
    if len(files) > 1:
        return Intake(files, backend, notes=notes)
    [(name, content)] = files.items()
    lone = f"{LONE_STEM}{PurePath(name).suffix.lower()}"
    return Intake({lone: content}, backend, {lone: hand_in.owner.file or name}, notes=notes)


def without_common_folders(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files by the shortest paths that keep their places: without what all lie in."""
    paths = {path: PurePosixPath(path).parts for path in files}
    shared = 0
    heads = [parts[:-1] for parts in paths.values()]
    while all(len(head) > shared for head in heads) and len({h[shared] for h in heads}) == 1:
        shared += 1
    return {"/".join(parts[shared:]): files[path] for path, parts in paths.items()}

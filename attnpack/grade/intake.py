"""From a hand-in to what is judged: files under names that tell nobody apart."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

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
        files = read(hand_in)
    except UnreadableError as error:
        return Intake(problem=str(error))
    if not files:
        return Intake(problem="there is no .py file and no notebook in it")
    if len(files) > 1:
        return Intake(files, backend)
    [(name, content)] = files.items()
    lone = f"{LONE_STEM}{PurePath(name).suffix.lower()}"
    return Intake({lone: content}, backend, {lone: hand_in.owner.file or name})

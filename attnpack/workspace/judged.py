"""Which texts a verdict is about: one that was given on other texts is not believed.

A checkout, a merge or another editor changes files while nobody checks them.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.pack import Pack


def fingerprint(sources: Mapping[str, str], file: str, pack: Pack) -> str:
    """The hash of an exercise's file together with the learner's own modules that it mentions.

    Other exercises are left out: each is judged alone, with the solution in place of a wrong one.
    """
    hashed = hashlib.sha256()
    for name in sorted(_mentioned(sources, file, pack)):
        hashed.update(f"{name}\0{sources.get(name, '')}\0".encode(errors="replace"))
    return hashed.hexdigest()


def _mentioned(sources: Mapping[str, str], file: str, pack: Pack) -> set[str]:
    """The file, and the modules of the learner's own that it uses, directly or through others."""
    exercises = {exercise.file for exercise in pack.exercises}
    own = [name for name in sources if name not in exercises]
    found, new = set[str](), {file}
    while new:
        found |= new
        text = "\n".join(sources.get(name, "") for name in new)
        words = set(re.findall(r"\w+", text))
        new = {name for name in own if name.removesuffix(".py") in words} - found
    return found

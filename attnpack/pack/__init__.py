"""Where the pack is: `exercises`, `reference`, `checks` and `SHAPES.md`.

In a wheel they lie inside this package; in a checkout or an editable install they are the
folders at the top of the repository. Either way `attnpack.pack.checks` imports.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from attnpack.pack.kinds import Pack
    from attnpack.terms import Stage

_INSIDE = Path(__file__).parent
_CHECKOUT = _INSIDE.parent.parent

ROOT = _INSIDE if (_INSIDE / "checks").is_dir() else _CHECKOUT
if ROOT is _CHECKOUT:
    __path__.append(str(_CHECKOUT))

_HASHED_SUFFIXES = {".py", ".md", ".toml"}


@cache
def load() -> Pack:
    """The pack this installation carries. Imports no numpy."""
    return cast("Pack", importlib.import_module("attnpack.pack.checks").PACK)


def stage(name: str) -> Stage:
    """The pack's stage of that name. One that it does not know, as of an old report, is bare."""
    from attnpack.terms import Stage

    return next((stage for stage in load().stages if stage == name), Stage(name))


def stub_path(backend: str, file: str) -> Path:
    """A stub, as a learner gets it."""
    return ROOT / "exercises" / backend / file


def reference_path(backend: str, file: str) -> Path:
    """The solution of one exercise."""
    return ROOT / "reference" / backend / file


@cache
def fingerprint() -> str:
    """`sha256:` and the hash of every file of the pack, names and contents, in sorted order."""
    import hashlib

    digest = hashlib.sha256()
    for folder in ("checks", "exercises", "reference"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _HASHED_SUFFIXES:
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(b"\0")
                digest.update(path.read_bytes())
                digest.update(b"\0")
    return f"sha256:{digest.hexdigest()}"

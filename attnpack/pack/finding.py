"""Finds packs: the one that comes with attnpack, a folder, or one that is installed.

An installed pack names its `PACK` as an entry point of the group `attnpack.packs`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attnpack.errors import BadInputError
from attnpack.pack.base import Pack

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "attnpack.packs"
OWN: Final = "attention"
"""the pack that comes with attnpack"""
_NEEDED: Final = ("name", "title", "root", "exercises", "stages")
_NEW: Final = "Lay out a new one: attnpack dev new-pack DIR"


def load(name: str | None = None) -> Pack:
    """A pack by its folder or by the name it is installed under; attnpack's own if not said.

    Imports no numpy. Raises BadInputError where there is no such pack, or none that can be used.
    """
    if name is None or name == OWN:
        return _own()
    folder = Path(name).expanduser()
    written_as_path = "/" in name or "\\" in name or name.startswith((".", "~"))
    if not written_as_path:
        found = _installed().get(name)
        if found is not None:
            return _from_entry_point(name)
    if folder.is_dir():
        return _from_folder(folder.resolve())
    known = ", ".join([OWN, *_installed()])
    raise BadInputError(
        f"There is no pack {name!r}: no folder of that name is here, and these are installed: "
        f"{known}. {_NEW}"
    )


def remembered(place: str | None) -> Pack:
    """The pack that a workspace's state names: by a whole path or an installed name.

    Nothing that lies beside the workspace is run: whoever sends a folder can write its state.
    Raises BadInputError.
    """
    if place is None or place == OWN or Path(place).is_absolute() or place in _installed():
        return load(place)
    raise BadInputError(f"The pack {place!r} is not installed.")


def distribution(name: str) -> str | None:
    """What to install to have the pack of that name, as `name==version`; None for a folder.

    Also None for the one that comes with attnpack.
    """
    point = None if Path(name).is_dir() else _installed().get(name)
    return f"{point.dist.name}=={point.dist.version}" if point and point.dist else None


@cache
def _own() -> Pack:
    pack: Pack = importlib.import_module("attnpack.pack.checks").PACK
    return pack


def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {found.name: found for found in entry_points(group=GROUP)}


@cache
def _from_entry_point(name: str) -> Pack:
    point = _installed()[name]
    try:
        made = point.load()
    except Exception as error:
        raise _broken(f"The installed pack {name} ({point.value})", error) from error
    return _used(made, name, f"The installed pack {name} ({point.value})")


@cache
def _from_folder(folder: Path) -> Pack:
    init = folder / "checks" / "__init__.py"
    if not init.is_file():
        raise BadInputError(f"{folder} is no pack: there is no {init}. {_NEW}")
    module = _imported(init)
    if not hasattr(module, "PACK"):
        raise BadInputError(
            f"{init} defines no PACK. It should end in: PACK = ...Pack(), an object of a class "
            "that derives from attnpack.pack.Pack (docs/authors.md)."
        )
    return _used(module.PACK, str(folder), str(init))


def _imported(init: Path) -> Any:
    """The package of that `__init__.py`, under a name that no other pack has."""
    import zlib

    name = f"attnpack_pack_{zlib.crc32(str(init).encode()):08x}"
    spec = importlib.util.spec_from_file_location(
        name, init, submodule_search_locations=[str(init.parent)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise _broken(str(init), error) from error
    return module


def _used(made: Any, place: str, where: str) -> Pack:
    """What was found, if it is a pack that can be used."""
    if not isinstance(made, Pack):
        raise BadInputError(
            f"{where}: PACK is of type {type(made).__name__}, and must be an object of a class "
            "that derives from attnpack.pack.Pack (docs/authors.md)."
        )
    missing = [word for word in _NEEDED if not getattr(made, word, None)]
    if missing:
        raise BadInputError(f"{where}: PACK has no {', '.join(missing)} (docs/authors.md).")
    for exercise in made.exercises:
        if made.chapter_titles and exercise.chapter not in made.chapter_titles:
            raise BadInputError(
                f"{where}: {exercise.name} is of the chapter {exercise.chapter or '(none)'}, "
                "which chapter_titles does not name."
            )
    empty = [chapter.name for chapter in made.chapters if not chapter.exercises]
    if empty:
        raise BadInputError(f"{where}: the chapter {empty[0]} has no exercises.")
    made.place = place
    return made


def _broken(where: str, error: Exception) -> BadInputError:
    """What went wrong while a pack was imported, with the last of its own lines."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith("<")]
    at = f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""
    if isinstance(error, SyntaxError):
        at = f" ({error.filename}, line {error.lineno})"
    return BadInputError(f"{where} cannot be loaded: {type(error).__name__}: {error}{at}")

"""Lays out what an author writes: a pack, an exercise, a bug.

Files come from templates, in which NAME is the word that was given and MODULE the same as a
Python name. What existing files must gain is in `add.toml`: a text to find and what to put
in its place, or a text for the end. A pack may bring templates of its own: `checks/templates/`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attnpack.errors import BadInputError, in_words
from attnpack.guest.sources import module_name
from attnpack.pack.cards import READING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.pack import Pack

OWN: Final = Path(__file__).parent / "templates"
ADDITIONS: Final = "add.toml"
_SUFFIX: Final = ".txt"


class Made(Enum):
    """What became of a file."""

    WRITTEN = "wrote"
    ADDED = "added to"
    BY_HAND = "to do by hand in"
    """the place to add something was not found"""


@dataclass(frozen=True)
class Step:
    """One file, and what became of it."""

    path: Path
    made: Made
    text: str = ""
    """what to add by hand"""


def new_pack(folder: Path) -> list[Step]:
    """The smallest pack, in an empty or a new folder. Raises BadInputError."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInputError(f"{folder} is there already, and not empty. Name a new folder.")
    words = {"NAME": folder.resolve().name}
    return list(_written(OWN / "pack", folder, words))


def new_exercise(pack: Pack, name: str) -> list[Step]:
    """The files of an exercise of that name. Raises BadInputError."""
    if not name.isidentifier():
        raise BadInputError(f"{name!r} is no name that Python knows: letters, digits and _.")
    if any(known.name == name for known in pack.exercises):
        raise BadInputError(f"The pack {pack.name} has an exercise {name} already.")
    words = {
        "NAME": name,
        "MODULE": module_name(name),
        "NUMBER": str(len(pack.exercises) + 1),
        "CHAPTER": pack.chapters[-1].name,
    }
    return _laid_out(pack, "exercise", words)


def new_bug(pack: Pack, name: str, family: str | None = None) -> list[Step]:
    """What a bug of that id adds; `family` is the file of its kind, where there are several.

    Raises BadInputError.
    """
    if name != name.lower() or not name.replace("-", "_").isidentifier():
        raise BadInputError(f"{name!r} is no id of a bug: lower case letters, digits and hyphens.")
    if name in pack.bugs():
        raise BadInputError(f"The pack {pack.name} has a bug {name} already.")
    known = families(pack)
    if known and family not in known:
        raise BadInputError(f"Say of what kind it is: --family, one of {', '.join(known)}.")
    words = {"NAME": name, "MODULE": name.replace("-", "_"), "FAMILY": family or ""}
    return _laid_out(pack, "bug", {**words, "STEP": _first_step(pack)})


def families(pack: Pack) -> list[str]:
    """The files of cards, where a pack has a folder of them."""
    folder = pack.root / "checks" / "bugs" / "cards"
    return sorted(path.stem for path in folder.glob("*.toml") if path.name != READING)


def _first_step(pack: Pack) -> str:
    """A step that a model may replace, to begin with."""
    pipeline = getattr(pack.exercises[0], "pipeline", None)
    return pipeline.steps[0][0] if pipeline else "TODO"


def _laid_out(pack: Pack, kind: str, words: Mapping[str, str]) -> list[Step]:
    own = pack.root / "checks" / "templates" / kind
    template = own if own.is_dir() else OWN / kind
    return [*_written(template, pack.root, words), *_added(template, pack.root, words)]


def _written(template: Path, root: Path, words: Mapping[str, str]) -> Iterator[Step]:
    """Every file of the template that is not there yet. Raises BadInputError where one is."""
    texts = {
        root / _filled(str(path.relative_to(template)), words).removesuffix(_SUFFIX): path
        for path in sorted(template.rglob(f"*{_SUFFIX}"))
    }
    for path in texts:
        if path.exists():
            raise BadInputError(f"{path} is there already. Move it away, or choose another name.")
    with in_words(root):
        for path, source in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            text = _filled(source.read_text(encoding="utf-8"), words)
            path.write_text(text, encoding="utf-8", newline="\n")
            yield Step(path, Made.WRITTEN)


def _added(template: Path, root: Path, words: Mapping[str, str]) -> Iterator[Step]:
    path = template / ADDITIONS
    if not path.is_file():
        return
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("add", ()):
        place = root / _filled(entry["file"], words)
        find, put = (_filled(entry.get(key, ""), words) for key in ("find", "put"))
        with in_words(root):
            yield _addition(place, find, put)


def _addition(path: Path, find: str, put: str) -> Step:
    if not path.is_file():
        return Step(path, Made.BY_HAND, put)
    text = path.read_text(encoding="utf-8")
    if find and find not in text:
        return Step(path, Made.BY_HAND, put)
    before, _, after = text.rpartition(find) if find else (text, "", "")
    path.write_text(before + put + after, encoding="utf-8", newline="\n")
    return Step(path, Made.ADDED)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for word, meant in words.items():
        text = text.replace(word, meant)
    return text

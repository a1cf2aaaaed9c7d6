"""What learner code may read: the interpreter and its libraries, and of attnpack nothing."""

from __future__ import annotations

import os
import stat
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OWN = Path(__file__).resolve().parents[2]
"""the folder of attnpack: in a wheel the reference solutions lie below it"""
_SITE_FOLDERS = ("site-packages", "dist-packages")


def readable() -> tuple[str, ...]:
    """Folders and files that exist here: standard library, installed packages, shared libraries.

    Unresolved, as programs name them. Call it after the imports: libraries that are mapped
    already count.
    """
    found = [*_standard_library(), *_installed(), *_shared_libraries(), "/etc/ld.so.cache"]
    kept: list[str] = []
    for path in sorted(set(found), key=lambda path: (len(Path(path).parts), path)):
        if Path(path).exists() and not any(_is_below(path, other) for other in kept):
            kept.append(path)
    return tuple(kept)


def hidden() -> tuple[str, ...]:
    """Folders below readable ones that must not be read: every attnpack that is installed."""
    base = Path(sys.base_prefix)
    sites = {
        *_installed(),
        *(str(p) for f in _SITE_FOLDERS for p in base.glob(f"lib*/python3*/{f}")),
    }
    found = (Path(site, _OWN.name) for site in sorted(sites))
    return (str(_OWN), *(str(path) for path in found if path.is_dir()))


def without_hidden(paths: Iterable[str], concealed: Iterable[str]) -> Iterator[str]:
    """The same paths, those above a hidden one replaced by their entries without it."""
    concealed = tuple(os.path.realpath(path) for path in concealed)
    for path in paths:
        real = os.path.realpath(path)
        if any(_is_below(real, other) for other in concealed):
            continue
        if any(_is_below(other, real) for other in concealed):
            yield from without_hidden((entry.path for entry in os.scandir(real)), concealed)
        else:
            yield path


def split(paths: Iterable[str], concealed: Iterable[str]) -> tuple[str, ...]:
    """The folders that `without_hidden` replaced by their entries.

    That they can be listed lets Python find what is installed in them.
    """
    concealed = tuple(os.path.realpath(path) for path in concealed)
    above = {str(p) for path in concealed for p in Path(path).parents}
    real = [os.path.realpath(path) for path in paths]
    return tuple(sorted(p for p in above if any(_is_below(p, path) for path in real)))


def is_reachable_by_others() -> bool:
    """Whether a user who owns nothing here can read the standard library."""
    folder = Path(sysconfig.get_path("stdlib")).resolve()
    return all(path.stat().st_mode & stat.S_IXOTH for path in (folder, *folder.parents))


def _standard_library() -> Iterator[str]:
    yield sysconfig.get_path("stdlib")
    shared = sysconfig.get_config_var("DESTSHARED")
    if shared:
        yield str(shared)


def _installed() -> Iterator[str]:
    """The folders of installed packages: on the path, or something was imported from them."""
    yield from (entry for entry in sys.path if Path(entry).name in _SITE_FOLDERS)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and "." not in name:
            yield from _site_folders_above(file)


def _site_folders_above(file: str) -> Iterator[str]:
    for name in _SITE_FOLDERS:
        folder, found, _ = file.rpartition(f"/{name}/")
        if found:
            yield f"{folder}/{name}"


def _shared_libraries() -> Iterator[str]:
    """Where the loader looks: beside the C library, and in the interpreter's own prefix."""
    for name in ("lib", "lib64"):
        prefix = Path(sys.base_prefix, name)
        if sys.base_prefix != "/usr" and prefix.is_dir():
            yield str(prefix)
    lines = Path("/proc/self/maps").read_text().splitlines()
    for path in sorted({line.partition("/")[2] for line in lines}):
        if ".so" in path and not _is_below(f"/{path}", str(_OWN)):
            mapped = Path(f"/{path}")
            if mapped.name.startswith(("libc.so", "libc-", "ld-")):
                yield str(mapped.parent)
                yield from _aliases(mapped.parent)
            else:
                yield str(mapped)


def _aliases(folder: Path) -> Iterator[str]:
    """The same folder as the loader's cache names it: `/lib/...` for `/usr/lib/...`."""
    for alias in ("/lib", "/lib64"):
        for path in (Path(alias), Path(alias, folder.name)):
            if path.exists() and path.resolve() == folder.resolve():
                yield str(path)


def _is_below(path: str, other: str) -> bool:
    return Path(path).is_relative_to(other)

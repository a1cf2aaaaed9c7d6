"""Landlock: this process may read and execute below some paths, write below at most one, and
touch no other file.

Source: https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from collections.abc import Iterable

_VERSION = 1
_PATH_BENEATH = 1
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_WRITE = sum(1 << bit for bit in (1, 4, 5, 7, 8, 13, 14))
"""write a file, remove a folder or a file, make a folder or a file, move, truncate"""
_FILE_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""how many rights on files each ABI handles; later ABIs add none"""
_NETWORK_RIGHTS = 0b11
_SCOPES = 0b11
_O_PATH = 0o10000000
_FIRST_NUMBER = 128


def abi() -> int | None:
    """The Landlock ABI of this kernel, or None where it has none."""
    try:
        return call("landlock_create_ruleset", None, 0, _VERSION)
    except OSError:
        return None


def ruleset(paths: Iterable[str], listed: Iterable[str] = ()) -> int | None:
    """A descriptor of rules that allow reading below `paths`; None without Landlock.

    What lies below `listed` can be listed, too.

    Everything else that this kernel can handle is denied: writing, making, removing, TCP,
    and signals and abstract sockets out of the domain.
    """
    version = abi()
    if version is None:
        return None
    words = [_handled(version)]
    if version >= 4:
        words.append(_NETWORK_RIGHTS)
    if version >= 6:
        words.append(_SCOPES)
    attributes = struct.pack(f"<{len(words)}Q", *words)
    rules = _out_of_the_way(call("landlock_create_ruleset", attributes, len(attributes), 0))
    for path in paths:
        _allow(rules, path, _READ_FILE | _EXECUTE | _READ_DIR)
    for path in listed:
        _allow(rules, path, _READ_DIR)
    return rules


def allow_writing(rules: int, path: str) -> None:
    """Below this folder files may also be made, changed and removed."""
    rights = (_WRITE | _READ_FILE | _READ_DIR) & _handled(abi() or 1)
    _allow(rules, path, rights)


def restrict(rules: int) -> None:
    """Put the rules in force, for good; needs no_new_privs. Closes the descriptor."""
    call("landlock_restrict_self", rules, 0)
    os.close(rules)


def _out_of_the_way(descriptor: int) -> int:
    """The same under a number that no guest gives to a pipe or socket of its own."""
    import fcntl

    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_NUMBER)
    os.close(descriptor)
    return moved


def _handled(version: int) -> int:
    """All rights on files that this ABI knows."""
    return (1 << _FILE_RIGHTS_BY_ABI[min(version, 5)]) - 1


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, _O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not Path(path).is_dir():
        rights &= _READ_FILE | _EXECUTE
    call("landlock_add_rule", rules, _PATH_BENEATH, struct.pack("<Qi", rights, descriptor), 0)
    os.close(descriptor)

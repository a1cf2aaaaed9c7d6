"""Whose submission is it: the names that course platforms give to files and folders."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CANVAS = re.compile(
    r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.IGNORECASE
)
_MOODLE = re.compile(
    r"(?P<student>.+)_(?P<user>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
)
_GRADESCOPE = re.compile(r"submission_(?P<user>\d+)")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_SUFFIXES = (".py", ".ipynb", ".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tbz2", ".tar")


@dataclass(frozen=True)
class Owner:
    """Who handed something in, as far as its name tells."""

    student: str
    ids: tuple[str, ...] = ()
    """what a roster may know the student by: a number, a login, an address"""
    file: str = ""
    """the name the student gave to the file, where the platform put its own before it"""
    group: str = ""
    """equal for the files that one student handed in side by side (Canvas); else empty"""


def stem(name: str) -> str:
    """The name without the ending of a source file or an archive."""
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name


def safe_name(submission: str, marked: bool = False) -> str:
    """A name for this submission's files that every file system takes.

    `marked` adds a hash, for names that would fall together without it.
    """
    plain = re.sub(r"[^\w.-]+", "_", stem(submission)).strip("._")[:80]
    if marked or not plain or _RESERVED.fullmatch(plain):
        digest = hashlib.sha256(submission.encode("utf-8", "surrogateescape")).hexdigest()
        return f"{plain}-{digest[:16]}".lstrip("-")
    return plain


def owner_of(name: str) -> Owner:
    """Read the owner off one file's or folder's name."""
    if match := _CANVAS.fullmatch(name):
        student, user = match["student"], match["user"]
        return Owner(student, (user, student), match["file"], f"{student}_{user}")
    if match := _MOODLE.fullmatch(name):
        return Owner(match["student"].strip(), (match["user"],), match["file"])
    if match := _GRADESCOPE.fullmatch(stem(name)):
        return Owner(stem(name), (match["user"],))
    return Owner(stem(name))


def owners_of(names: Iterable[str], gradescope: Mapping[str, Owner]) -> dict[str, Owner]:
    """The owner of every name of one folder.

    `gradescope` is what `submission_metadata.yml` says. GitHub Classroom writes
    `assignment-username`: what all the names share up to a hyphen is the assignment.
    """
    owners = {name: gradescope.get(stem(name)) or owner_of(name) for name in names}
    plain = [name for name, owner in owners.items() if owner == Owner(stem(name))]
    prefix = _shared_prefix([stem(name) for name in plain])
    if prefix:
        for name in plain:
            login = stem(name)[len(prefix) :]
            owners[name] = Owner(login, (login,))
    return _told_apart(owners)


def gradescope_owners(metadata: str) -> dict[str, Owner]:
    """Submitters by folder name, out of Gradescope's `submission_metadata.yml`."""
    fields: dict[str, list[tuple[str, str]]] = {}
    folder = ""
    for line in metadata.splitlines():
        if match := re.fullmatch(r"(submission_\d+):\s*", line):
            folder = match[1]
            fields[folder] = []
        elif folder and (match := re.fullmatch(r"[\s-]*:(name|sid|email):\s*(.*)", line)):
            value = match[2].strip().strip("'\"")
            if value:
                fields[folder].append((match[1], value))
    return {name: _submitter(name, pairs) for name, pairs in fields.items()}


def _submitter(folder: str, pairs: list[tuple[str, str]]) -> Owner:
    names = [value for key, value in pairs if key == "name"]
    ids = tuple(value for key, value in pairs if key != "name")
    return Owner(" and ".join(names) or (ids[0] if ids else folder), ids)


def _shared_prefix(stems: list[str]) -> str:
    if len(stems) < 2:
        return ""
    first, last = min(stems), max(stems)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    return first[: first.rfind("-", 0, shared) + 1]


def _told_apart(owners: dict[str, Owner]) -> dict[str, Owner]:
    """Two students of one name, told apart by the platform's number."""
    groups: dict[str, set[str]] = {}
    for owner in owners.values():
        groups.setdefault(owner.student, set()).add(owner.group)
    return {
        name: Owner(owner.group, owner.ids, owner.file, owner.group)
        if owner.group and len(groups[owner.student]) > 1
        else owner
        for name, owner in owners.items()
    }

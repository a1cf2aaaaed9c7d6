"""Whose submission is it: the names that course platforms give to files and folders.

An owner is read only off what the platform writes, which comes first in a name; what the student
chose comes after it and says nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_CANVAS = re.compile(
    r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.IGNORECASE
)
_MOODLE = re.compile(
    r"(?P<student>.+?)_(?P<user>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
)
_BLACKBOARD = re.compile(r"(?P<who>.+?)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)")
_GRADESCOPE = re.compile(r"submission_(?P<user>\d+)")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
DOCUMENTS = (
    *(".pdf", ".doc", ".docx", ".odt", ".rtf", ".pages", ".ppt", ".pptx", ".html", ".htm"),
    *(".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".z", ".jar", ".png", ".jpg", ".jpeg", ".heic"),
)
"""what students hand in by mistake: theirs has a row, and the reason why there is no mark"""
_SUFFIXES = (
    *(".py", ".ipynb", ".py.txt", ".ipynb.txt", ".ipynb.json"),
    *(".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tbz2", ".tar", *DOCUMENTS),
)


class Known(StrEnum):
    """What a platform knows a student by: the name of a field of the roster."""

    CANVAS_ID = "canvas_id"
    PARTICIPANT = "participant"
    """Moodle's number of a student in one assignment"""
    SIS_ID = "sis_id"
    LOGIN = "login"
    EMAIL = "email"


@dataclass(frozen=True)
class Owner:
    """Who handed something in, as far as its name tells."""

    student: str
    ids: tuple[tuple[Known, str], ...] = ()
    file: str = ""
    """the name the student gave to the file, where the platform put its own before it"""
    group: str = ""
    """equal for the files that one student handed in side by side; else empty"""
    order: str = ""
    """the later of two files of a group has the greater one"""
    late: bool = False
    """the platform says so"""
    when: str = ""
    """the time of submission as the platform tells it, in ISO form"""
    members: tuple[Owner, ...] = ()
    """of a group that hands in together"""


def stem(name: str) -> str:
    """The name without the ending of a source file or an archive."""
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name


def folded(name: str) -> str:
    """Equal for names that a file system may take for one: by case, or by how accents are kept."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def safe_name(submission: str, marked: bool = False) -> str:
    """A name for this submission's files that every file system takes.

    `marked` adds a hash, for names that would fall together without it.
    """
    composed = unicodedata.normalize("NFC", stem(submission))
    plain = re.sub(r"[^\w.-]+", "_", composed).strip("._")[:80]
    if marked or not plain or _RESERVED.fullmatch(plain):
        digest = hashlib.sha256(submission.encode("utf-8", "surrogateescape")).hexdigest()
        return f"{plain}-{digest[:16]}".lstrip("-")
    return plain


def safe_names(submissions: Sequence[str]) -> dict[str, str]:
    """A safe name for each submission, different from all others on any file system."""
    names = {submission: safe_name(submission) for submission in submissions}
    while True:
        owners: dict[str, list[str]] = {}
        for submission, name in names.items():
            owners.setdefault(folded(name), []).append(submission)
        alike = [one for several in owners.values() if len(several) > 1 for one in several]
        unmarked = [one for one in alike if names[one] != safe_name(one, marked=True)]
        if not unmarked:
            return names
        names.update({one: safe_name(one, marked=True) for one in unmarked})


def owner_of(name: str) -> Owner:
    """Read the owner off one file's or folder's name."""
    if match := _CANVAS.fullmatch(name):
        student, user = match["student"], match["user"]
        return Owner(
            student,
            ((Known.CANVAS_ID, user),),
            match["file"],
            f"{student}_{user}",
            match["upload"].zfill(20),
            late=match["late"] is not None,
        )
    if match := _MOODLE.fullmatch(name):
        ids = ((Known.PARTICIPANT, match["user"]),)
        group = f"{match['student']}_{match['user']}" if match["file"] else ""
        return Owner(match["student"].strip(), ids, match["file"], group)
    if match := _BLACKBOARD.fullmatch(name):
        who, when = match["who"], match["when"]
        time = f"{when[:10]}T{when[11:].replace('-', ':')}"
        return Owner(who, (), match["file"] or "", who, when, when=time)
    return Owner(stem(name))


def owners_of(
    names: Iterable[str], gradescope: Mapping[str, Owner], logins: Collection[str] = ()
) -> dict[str, Owner]:
    """The owner of every name of one folder.

    `gradescope` is what `submission_metadata.yml` says. GitHub Classroom writes
    `assignment-username`, Blackboard `assignment_username_attempt_...`: what all the names share
    up to a hyphen is the assignment. Logins may have hyphens, too: where a roster's `logins` are
    known, the cut is where most of them are met.
    """
    owners = {name: gradescope.get(stem(name)) or owner_of(name) for name in names}
    known = {login.casefold() for login in logins}
    plain = [name for name, owner in owners.items() if owner == Owner(stem(name))]
    cut = len(_assignment([stem(name) for name in plain], known, "-"))
    if cut:
        owners.update({name: _by_login(owners[name], stem(name)[cut:]) for name in plain})
    attempts = [name for name in owners if _BLACKBOARD.fullmatch(name)]
    cut = len(_assignment(sorted({owners[name].student for name in attempts}), known, "_"))
    owners.update(
        {name: _by_login(owners[name], owners[name].student[cut:]) for name in attempts if cut}
    )
    return _told_apart(owners)


def _by_login(owner: Owner, login: str) -> Owner:
    return replace(owner, student=login, ids=((Known.LOGIN, login),))


def gradescope_owners(metadata: str) -> dict[str, Owner]:
    """Submitters by folder name, out of Gradescope's `submission_metadata.yml`.

    Only the list of submitters and the time are read: further below stands what students'
    code has printed.
    """
    submitters: dict[str, list[dict[str, str]]] = {}
    times: dict[str, str] = {}
    folder, listing = "", False
    for line in metadata.splitlines():
        if match := re.fullmatch(r"(submission_\d+):\s*", line):
            folder, listing = match[1], False
            submitters[folder] = []
        elif re.fullmatch(r"  :submitters:\s*", line):
            listing = bool(folder) and not submitters[folder]
        elif listing and (match := _SUBMITTER.fullmatch(line)):
            if match[1] == "- " or not submitters[folder]:
                submitters[folder].append({})
            submitters[folder][-1][match[2]] = _unquoted(match[3])
        elif folder and (match := re.fullmatch(r"  :created_at:\s*(\S+)[ T](\S+)(.*)", line)):
            listing = False
            times.setdefault(folder, _iso(match[1], match[2], match[3]))
        else:
            listing = False
    return {
        name: _submitter(name, people, times.get(name, "")) for name, people in submitters.items()
    }


_SUBMITTER = re.compile(r"  (- |  ):(name|sid|email):\s*(.*)")


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].replace("''", "'")
    return value


def _iso(day: str, time: str, zone: str) -> str:
    zone = zone.strip().replace("Z", "+00:00").replace("UTC", "+00:00").replace(" ", "")
    return f"{day.strip(chr(39))}T{time[:8]}{zone[:6]}"


def _submitter(folder: str, people: Sequence[Mapping[str, str]], when: str) -> Owner:
    found = [_person(each) for each in people if any(each.values())]
    if len(found) == 1:
        return replace(found[0], when=when)
    names = " and ".join(each.student for each in found)
    return Owner(names or folder, when=when, members=tuple(found))


def _person(fields: Mapping[str, str]) -> Owner:
    kinds = {"sid": Known.SIS_ID, "email": Known.EMAIL}
    ids = tuple((kind, fields[key]) for key, kind in kinds.items() if fields.get(key))
    return Owner(fields.get("name") or ids[0][1], ids)


def _assignment(stems: list[str], logins: Collection[str], separator: str) -> str:
    """What all share up to a hyphen: the longest such, or the one that leaves most logins."""
    if len(stems) < 2:
        return ""
    first, last = min(stems), max(stems)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    cuts = [at + 1 for at in range(shared) if first[at] == separator]
    if not cuts:
        return ""
    met = {cut: sum(name[cut:].casefold() in logins for name in stems) for cut in cuts}
    return first[: max(cuts, key=lambda cut: (met[cut], cut if not any(met.values()) else -cut))]


def _told_apart(owners: dict[str, Owner]) -> dict[str, Owner]:
    """Two students of one name, told apart by the platform's number."""
    people: dict[str, set[str]] = {}
    for owner in owners.values():
        people.setdefault(owner.student, set()).add(_number(owner))
    return {
        name: replace(owner, student=f"{owner.student}_{_number(owner)}")
        if _number(owner) and len(people[owner.student]) > 1
        else owner
        for name, owner in owners.items()
    }


def _number(owner: Owner) -> str:
    numbers = (Known.CANVAS_ID, Known.PARTICIPANT)
    return next((value for kind, value in owner.ids if kind in numbers), "")

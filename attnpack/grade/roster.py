"""The roster: who is in the course, and which submission is whose.

A CSV as Canvas or Moodle export it, or any with a header that says `student` or `name` and
some of `key`, `id`, `login`, `github`, `email`, `group`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from attnpack.errors import BadInputError
from attnpack.grade import given
from attnpack.grade.names import Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from attnpack.grade.names import Owner

Key = TypeVar("Key")

_HEADERS = {
    "name": ("student", "name", "full name"),
    "first": ("first name", "given name"),
    "last": ("surname", "last name", "family name"),
    "canvas_id": ("id", "user id"),
    "participant": ("identifier",),
    "sis_id": ("sis user id", "id number", "sid"),
    "login": ("sis login id", "login", "username", "github", "github_username", "key"),
    "email": ("email address", "email"),
    "section": ("section", "sections"),
    "group": ("group", "groups", "group name"),
    "when": ("last modified (submission)",),
}


@dataclass(frozen=True)
class Student:
    """One line of the roster. Fields that it does not have are empty."""

    name: str
    canvas_id: str = ""
    sis_id: str = ""
    login: str = ""
    email: str = ""
    section: str = ""
    participant: str = ""
    """Moodle's number of the student in this assignment"""
    group: str = ""
    """with whom the student hands in"""
    when: str = ""
    """when Moodle's grading worksheet says that the student handed in"""

    @property
    def key(self) -> str:
        """What grades.csv names the student by."""
        return self.name or self.login or self.email or self.sis_id or self.canvas_id

    @property
    def names(self) -> list[str]:
        """All that an override may call the student."""
        first = " ".join(reversed(self.name.split(", ", 1))) if ", " in self.name else ""
        every = (self.name, first, self.login, self.email, self.sis_id, self.canvas_id)
        return [name for name in every if name]

    def to_json(self) -> dict[str, str]:
        """As plain data."""
        return asdict(self)


class Match(StrEnum):
    """Why a submission is nobody's, or whose it is."""

    FOUND = "found"
    NAMESAKES = "namesakes"
    UNLISTED = "unlisted"


class Roster:
    """The students of a course, found by what a platform knows them by, or by name."""

    def __init__(self, students: Sequence[Student]) -> None:
        self.students = tuple(students)
        self._by_word = _index((word, s) for s in students for word in _words(s))
        self._by_id = _index(
            ((kind, _plain(getattr(s, kind))), s)
            for s in students
            for kind in Known
            if getattr(s, kind)
        )
        self._by_group = _index((_plain(s.group), s) for s in students if s.group)
        self._kinds = {kind for kind, _ in self._by_id}

    def find(self, owner: Owner) -> tuple[Student, ...]:
        """The one student these names point to, or all of a group; empty where nobody is sure."""
        return self.look_up(owner)[0]

    def look_up(self, owner: Owner) -> tuple[tuple[Student, ...], Match]:
        """As `find`, and why nobody is sure.

        What the platform knows the student by decides where the roster has it; only where it
        does not, the name does.
        """
        if owner.members:
            found = [student for each in owner.members for student in self.find(each)]
            return tuple(dict.fromkeys(found)), Match.FOUND if found else Match.UNLISTED
        told = [(kind, value) for kind, value in owner.ids if kind in self._kinds]
        for kind, value in told:
            candidates = self._by_id.get((kind, _plain(value)), ())
            if len(candidates) == 1:
                return tuple(candidates), Match.FOUND
        if told:
            return (), Match.UNLISTED
        plain = _plain(owner.student)
        if plain in self._by_group and plain not in self._by_word:
            return tuple(self._by_group[plain]), Match.FOUND
        candidates = self._by_word.get(plain, ())
        if len(candidates) == 1:
            return tuple(candidates), Match.FOUND
        return (), Match.NAMESAKES if candidates else Match.UNLISTED

    @property
    def logins(self) -> list[str]:
        """All logins."""
        return [student.login for student in self.students if student.login]

    def with_group(self, students: Sequence[Student]) -> tuple[Student, ...]:
        """These and all that share a group with one of them, as the roster says."""
        groups = {_plain(student.group) for student in students if student.group}
        more = [s for s in self.students if s.group and _plain(s.group) in groups]
        return tuple(dict.fromkeys([*students, *more]))

    def to_json(self) -> list[dict[str, str]]:
        """As plain data."""
        return [student.to_json() for student in self.students]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> Roster:
        """From `to_json`."""
        return cls([Student(**student) for student in data])


def read_roster(path: Path) -> Roster:
    """Read a roster CSV; raises BadInputError."""
    rows = given.rows(path)
    columns = _columns(rows[0] if rows else [])
    if not columns.keys() & {"name", "last", "login", "email"}:
        raise BadInputError(
            f"{path}: the first line must name the columns, one of them `student`, `name`, "
            "`login` or `email`."
        )
    students = [_student(columns, row) for row in rows[1:] if any(cell.strip() for cell in row)]
    real = [student for student in students if student.key and not _is_points_row(student)]
    return Roster(list(dict.fromkeys(real)))


def _columns(header: Sequence[str]) -> dict[str, int]:
    lower = [cell.strip().lower() for cell in header]
    found = {}
    for field, names in _HEADERS.items():
        for name in names:
            if name in lower:
                found[field] = lower.index(name)
                break
    return found


def _student(columns: Mapping[str, int], row: Sequence[str]) -> Student:
    cells = {field: row[at].strip() for field, at in columns.items() if at < len(row)}
    first, last = cells.pop("first", ""), cells.pop("last", "")
    name = cells.pop("name", "") or f"{first} {last}".strip()
    if "participant" in cells:
        cells["participant"] = cells["participant"].removeprefix("Participant ")
    return Student(name, **cells)


def _is_points_row(student: Student) -> bool:
    """Canvas' second line, and its `Student, Test` account."""
    return student.name in ("Points Possible", "Student, Test")


def _index(pairs: Iterable[tuple[Key, Student]]) -> dict[Key, list[Student]]:
    found: dict[Key, list[Student]] = {}
    for key, student in pairs:
        students = found.setdefault(key, [])
        if student not in students:
            students.append(student)
    return found


def _words(student: Student) -> set[str]:
    """What the student may be called, in plain letters."""
    words = {student.name, student.login, student.email}
    if ", " in student.name:
        last, first = student.name.split(", ", 1)
        words |= {f"{first} {last}", last + first}
    elif " " in student.name:
        first, last = student.name.rsplit(" ", 1)
        words |= {last + first}
    return {plain for word in words if (plain := _plain(word))}


def _plain(name: str) -> str:
    """Lower case letters and digits without accents: Canvas writes "Doe, Jané" as `doejane`."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return re.sub(r"[^\w@]|_", "", bare.casefold())

"""The roster: who is in the course, and which submission is whose.

A CSV as Canvas or Moodle export it, or any with a header that says `student` or `name` and
some of `key`, `id`, `login`, `github`, `email`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from attnpack.errors import BadInputError
from attnpack.grade import given

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from attnpack.grade.names import Owner

_HEADERS = {
    "name": ("student", "name", "full name"),
    "first": ("first name", "given name"),
    "last": ("surname", "last name", "family name"),
    "canvas_id": ("id", "user id", "identifier"),
    "sis_id": ("sis user id", "id number", "sid"),
    "login": ("sis login id", "login", "username", "github", "github_username", "key"),
    "email": ("email address", "email"),
    "section": ("section", "sections"),
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

    @property
    def key(self) -> str:
        """What grades.csv names the student by."""
        return self.name or self.login or self.email or self.sis_id or self.canvas_id

    def to_json(self) -> dict[str, str]:
        """As plain data."""
        return asdict(self)


class Roster:
    """The students of a course, found by any of their names."""

    def __init__(self, students: Sequence[Student]) -> None:
        self.students = tuple(students)
        self._by_word: dict[str, set[Student]] = {}
        for student in self.students:
            for word in _words(student):
                self._by_word.setdefault(word, set()).add(student)

    def find(self, owner: Owner) -> Student | None:
        """The one student these names point to; None where none or several do."""
        for name in (*owner.ids, owner.student):
            candidates = self._by_word.get(_plain(name), set())
            if len(candidates) == 1:
                return next(iter(candidates))
        tail = _plain(owner.student)
        logins = {s: _plain(s.login) for s in self.students}
        ends = {s for s, login in logins.items() if login and tail.endswith(login)}
        return next(iter(ends)) if len(ends) == 1 and "-" in owner.student else None

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
    return Roster([student for student in students if not _is_points_row(student)])


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
    return Student(name, **cells)


def _is_points_row(student: Student) -> bool:
    """Canvas' second line, and its `Student, Test` account."""
    return student.name in ("Points Possible", "Student, Test")


def _words(student: Student) -> set[str]:
    """What the student may be called, in plain letters."""
    words = {student.name, student.canvas_id, student.sis_id, student.login, student.email}
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

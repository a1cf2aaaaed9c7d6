"""Marks set by hand: they lie in a file of their own and survive every regrading."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnpack.errors import BadInputError
from attnpack.grade import given

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

WHOLE = "*"
FILE_NAMES = ("overrides.csv", "overrides.toml")
"""looked for in the output folder"""


@dataclass(frozen=True)
class Override:
    """What was set by hand for a submission, or for all submissions of a student.

    For one exercise or for the whole (`*`); or days by which it may be late.
    """

    submission: str
    exercise: str
    points: float | None
    reason: str
    student: str = ""
    """name, login or address, where no submission is named"""
    beyond: bool = False
    """the points may be more than there are to have"""
    days: float = 0.0
    """by which it may be late"""


class Overrides:
    """All that was set by hand."""

    def __init__(self, overrides: Iterable[Override] = ()) -> None:
        self._all = tuple(overrides)
        self._by_key: dict[tuple[str, str], Override] = {}
        self._days: dict[str, float] = {}
        for each in self._all:
            name = each.submission or _STUDENT + _plain(each.student)
            if each.points is not None:
                self._by_key[name, each.exercise] = each
            if each.days:
                self._days[name] = each.days

    def of(self, submission: str, exercise: str, students: Collection[str] = ()) -> Override | None:
        """The override of one exercise, or of the whole with `*`.

        One that names the submission goes before one that names a student of it.
        """
        names = (submission, *(_STUDENT + _plain(student) for student in students))
        return next(filter(None, (self._by_key.get((name, exercise)) for name in names)), None)

    def days(self, submission: str, students: Collection[str] = ()) -> float:
        """By how many days the submission may be late."""
        names = (submission, *(_STUDENT + _plain(student) for student in students))
        return max((self._days.get(name, 0.0) for name in names), default=0.0)

    def unused(self, submissions: Iterable[str], students: Iterable[str] = ()) -> list[Override]:
        """Those that name a submission or a student who is not there."""
        known = {*submissions, *(_STUDENT + _plain(student) for student in students)}
        return [
            each
            for each in self._all
            if (each.submission or _STUDENT + _plain(each.student)) not in known
        ]

    def refuse_beyond(self, worth: Mapping[str, float]) -> None:
        """Raises BadInputError where more points are set than there are, and it is not meant."""
        for each in self._all:
            most = worth.get(each.exercise, sum(worth.values()))
            if each.points is not None and each.points > most and not each.beyond:
                raise BadInputError(
                    f"The override of {each.submission or each.student} sets {each.points:g} "
                    f"points for {each.exercise}, which is worth {most:g}. If that is meant, "
                    "write `yes` into a column `beyond`."
                )


_STUDENT = "student: "


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def read_overrides(paths: Sequence[Path], exercises: Sequence[str]) -> Overrides:
    """Read CSV or TOML files, later ones above earlier ones; raises BadInputError."""
    found = []
    for path in paths:
        rows = _toml_rows(path) if path.suffix == ".toml" else _csv_rows(path)
        found += [_override(path, row, exercises) for row in rows]
    return Overrides(found)


def lying_in(folder: Path) -> list[Path]:
    """The overrides kept in an output folder."""
    return [folder / name for name in FILE_NAMES if (folder / name).is_file()]


def _csv_rows(path: Path) -> list[Mapping[str, Any]]:
    head, *rows = given.rows(path) or [[]]
    names = [name.strip().lower() for name in head]
    return [dict(zip(names, row, strict=False)) for row in rows if any(row)]


def _toml_rows(path: Path) -> list[Mapping[str, Any]]:
    rows = given.toml(path).get("override", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadInputError(f"{path}: write each one as [[override]]")
    return rows


def _override(path: Path, row: Mapping[str, Any], exercises: Sequence[str]) -> Override:
    said = {key for key, value in row.items() if str(value).strip() != ""}
    missing = {"reason"} - said
    if not said & {"submission", "student"}:
        missing.add("submission (or student)")
    if not said & {"points", "days"}:
        missing.add("points (or days)")
    if missing:
        raise BadInputError(
            f"{path}: {dict(row)} lacks {', '.join(sorted(missing))}. Each override says "
            "submission or student, exercise, points, and reason; or days, for an extension."
        )
    exercise = str(row.get("exercise") or WHOLE).strip()
    if exercise != WHOLE and exercise not in exercises:
        raise BadInputError(
            f"{path}: no exercise '{exercise}'. Write one of {', '.join(exercises)}, or * for "
            "the whole submission."
        )
    submission = str(row.get("submission") or "").strip()
    return Override(
        submission,
        exercise,
        _number(path, row, "points") if "points" in said else None,
        str(row["reason"]).strip(),
        student="" if submission else str(row.get("student") or "").strip(),
        beyond=str(row.get("beyond") or "").strip().lower() in ("yes", "true", "1", "x"),
        days=_number(path, row, "days") if "days" in said else 0.0,
    )


def _number(path: Path, row: Mapping[str, Any], column: str) -> float:
    try:
        value = given.number(row[column])
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInputError(f"{path}: {column} must be a number: {row[column]!r}") from error
    if not 0 <= value < 1e6:
        raise BadInputError(f"{path}: {column} must be 0 or more: {row[column]!r}")
    return value

"""Marks set by hand: they lie in a file of their own and survive every regrading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnpack.errors import BadInputError
from attnpack.grade import given

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

WHOLE = "*"
FILE_NAMES = ("overrides.csv", "overrides.toml")
"""looked for in the output folder"""


@dataclass(frozen=True)
class Override:
    """One mark set by hand, for one exercise or for the whole submission (`*`)."""

    submission: str
    exercise: str
    points: float
    reason: str


class Overrides:
    """All marks set by hand, by submission and exercise."""

    def __init__(self, overrides: Iterable[Override] = ()) -> None:
        self._by_key = {(o.submission, o.exercise): o for o in overrides}

    def of(self, submission: str, exercise: str) -> Override | None:
        """The override of one exercise, or of the whole with `*`."""
        return self._by_key.get((submission, exercise))

    def unused(self, submissions: Iterable[str]) -> list[Override]:
        """Those that name a submission which is not there."""
        known = set(submissions)
        return [o for o in self._by_key.values() if o.submission not in known]


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
    return [dict(zip(head, row, strict=False)) for row in rows if any(row)]


def _toml_rows(path: Path) -> list[Mapping[str, Any]]:
    rows = given.toml(path).get("override", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadInputError(f"{path}: write each one as [[override]]")
    return rows


def _override(path: Path, row: Mapping[str, Any], exercises: Sequence[str]) -> Override:
    missing = {"submission", "points", "reason"} - {
        key for key, value in row.items() if value != ""
    }
    if missing:
        raise BadInputError(
            f"{path}: {dict(row)} lacks {', '.join(sorted(missing))}. Each override says "
            "submission, exercise, points and reason."
        )
    exercise = str(row.get("exercise") or WHOLE).strip()
    if exercise != WHOLE and exercise not in exercises:
        raise BadInputError(
            f"{path}: no exercise '{exercise}'. Write one of {', '.join(exercises)}, or * for "
            "the whole submission."
        )
    try:
        points = float(row["points"])
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInputError(f"{path}: points must be a number: {row['points']!r}") from error
    if not 0 <= points < 1e6:
        raise BadInputError(f"{path}: points must be 0 or more: {row['points']!r}")
    return Override(str(row["submission"]).strip(), exercise, points, str(row["reason"]).strip())

"""The rubric: points per exercise and stage, and what stays hidden from the student (TOML)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from attnpack.errors import BadInputError
from attnpack.grade import given
from attnpack.grade.late import LatePolicy, moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from attnpack.pack import Pack

Kind = TypeVar("Kind")

_KEYS = {"assignment", "chapters", "partial_credit", "hidden", "exercises", "due", "late"}


@dataclass(frozen=True)
class Rubric:
    """What an exercise is worth. The default: one point each, for all its stages together."""

    points: Mapping[str, float]
    """exercise -> points"""
    assignment: str
    """the name of the column in Canvas and Moodle"""
    worth: Mapping[str, float] = field(default_factory=dict)
    """every stage of the pack, in order -> its weight where `shares` says nothing"""
    partial_credit: bool = False
    """a stage that passes earns its share, although another one fails"""
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """exercise -> stage -> weight, for partial credit"""
    late: LatePolicy = field(default_factory=LatePolicy)
    hidden: frozenset[str] = frozenset()
    """ "gradients" for a stage of every exercise, "SelfAttention.causal" for one"""

    @property
    def max_score(self) -> float:
        """The points of all exercises."""
        return round(sum(self.points.values()), 4)

    def hides(self, exercise: str, stage: str) -> bool:
        """Whether the student does not see this stage."""
        return stage in self.hidden or f"{exercise}.{stage}" in self.hidden

    def share(self, exercise: str, stage: str) -> float:
        """The weight of a stage under partial credit; the pack's, where the rubric has none."""
        return self.shares.get(exercise, {}).get(stage, self.worth.get(stage, 1.0))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "assignment": self.assignment,
            "points": dict(self.points),
            "worth": dict(self.worth),
            "partial_credit": self.partial_credit,
            "shares": {name: dict(shares) for name, shares in self.shares.items()},
            "hidden": sorted(self.hidden),
            "late": self.late.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Rubric:
        """From `to_json`."""
        return cls(
            points=data["points"],
            assignment=data["assignment"],
            worth=data["worth"],
            partial_credit=data["partial_credit"],
            shares=data["shares"],
            hidden=frozenset(data["hidden"]),
            late=LatePolicy.from_json(data.get("late", {})),
        )

    @property
    def fingerprint(self) -> str:
        """`sha256:` and the hash of all that the rubric says."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def default_rubric(pack: Pack) -> Rubric:
    """One point for each exercise of the pack's first chapter."""
    names = [exercise.name for exercise in pack.chapters[0].exercises]
    return Rubric(dict.fromkeys(names, 1.0), pack.title, _worth(pack))


def read_rubric(path: Path, pack: Pack) -> Rubric:
    """Read a rubric for a pack; raises BadInputError that names the entry."""
    data = given.toml(path)
    _known(path, "the rubric", data, _KEYS)
    exercises = _exercises(path, data, pack)
    tables = data.get("exercises", {})
    _known(path, "[exercises]", tables, set(exercises))
    stages = set(map(str, pack.stages))
    for name, table in tables.items():
        _known(path, f"[exercises.{name}]", table, {"points", "stages"})
        _known(path, f"[exercises.{name}.stages]", table.get("stages", {}), stages)
    rubric = Rubric(
        points={
            name: _number(path, name, tables.get(name, {}).get("points", 1)) for name in exercises
        },
        assignment=_of_kind(path, data, "assignment", pack.title, "a text"),
        worth=_worth(pack),
        partial_credit=_of_kind(path, data, "partial_credit", False, "true or false"),
        shares={
            name: {
                stage: _number(path, f"{name}.{stage}", weight)
                for stage, weight in table.get("stages", {}).items()
            }
            for name, table in tables.items()
        },
        hidden=frozenset(map(str, _of_kind(path, data, "hidden", [], "a list of texts"))),
        late=_late(path, data),
    )
    _check_hidden(path, rubric, exercises, pack)
    _check_worth(path, rubric)
    return rubric


def _worth(pack: Pack) -> dict[str, float]:
    return {str(stage): stage.worth for stage in pack.stages}


def _exercises(path: Path, data: Mapping[str, Any], pack: Pack) -> list[str]:
    """Those of the chapters that are named; of the pack's first if none is."""
    first = [pack.chapters[0].name]
    chapters = _of_kind(path, data, "chapters", first, "a list of texts")
    try:
        return [exercise.name for exercise in pack.in_chapters(map(str, chapters))]
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from error


def _late(path: Path, data: Mapping[str, Any]) -> LatePolicy:
    """`due = 2026-03-01T23:59:00+01:00` and `late = {per_day = 0.1, at_most = 0.5}`."""
    table = data.get("late", {})
    _known(path, "late", table, {"per_day", "at_most"})
    due = str(data.get("due", ""))
    if due and moment(due) is None:
        raise BadInputError(f"{path}: due must be a time such as 2026-03-01T23:59:00+01:00: {due}")
    if table and not due:
        raise BadInputError(f"{path}: late needs `due`, the time from which days are counted")
    shares = {word: _number(path, f"late.{word}", value) for word, value in table.items()}
    for word, share in shares.items():
        if share > 1:
            raise BadInputError(f"{path}: late.{word} is a share of the score, 0 to 1: {share:g}")
    return LatePolicy(due, **shares)


def _known(path: Path, where: str, table: Any, words: set[str]) -> None:
    if not isinstance(table, dict):
        raise BadInputError(f"{path}: {where} must be a table")
    for word in table:
        if word not in words:
            raise BadInputError(
                f"{path}: {where} has no entry '{word}'. It may have: {', '.join(sorted(words))}."
            )


def _of_kind(path: Path, data: Mapping[str, Any], word: str, usual: Kind, kind: str) -> Kind:
    """What the top of the rubric says, if it is of the kind of what it usually is."""
    value = data.get(word, usual)
    if not isinstance(value, type(usual)):
        raise BadInputError(f"{path}: {word} must be {kind}: {value!r}")
    return value


def _number(path: Path, where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
        raise BadInputError(f"{path}: the points of {where} must be a number from 0 up: {value!r}")
    return float(value)


def _check_hidden(path: Path, rubric: Rubric, exercises: Sequence[str], pack: Pack) -> None:
    stages = pack.stages
    for word in rubric.hidden:
        exercise, _, stage = word.rpartition(".")
        if stage not in stages or (exercise and exercise not in exercises):
            raise BadInputError(
                f"{path}: hidden names '{word}'. Write a stage ({', '.join(stages)}) or "
                "EXERCISE.STAGE."
            )


def _check_worth(path: Path, rubric: Rubric) -> None:
    if not rubric.max_score:
        raise BadInputError(f"{path}: no exercise is worth any points")
    for name, shares in rubric.shares.items():
        if shares and not rubric.partial_credit:
            raise BadInputError(
                f"{path}: [exercises.{name}.stages] needs `partial_credit = true` at the top"
            )

"""What goes to a judge and what comes back: plain data that travels as JSON."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from attnpack.report.model import Report

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Job:
    """One submission to judge."""

    submission: str
    """the SHA-256 of its files"""
    files: Mapping[str, bytes]
    backend: str | None
    """None: read off the imports"""
    seed: int
    common_seed: int
    """the same for the whole cohort: with it, equal wrong code gives equal wrong numbers"""
    short_seed: int
    """of the short form: one of a few, so that a worker draws each once"""
    exercises: tuple[str, ...] | None = None
    """None: those of the chapters that it is about"""
    pack: str | None = None
    """its folder or its installed name; None for attnpack's own"""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        coded = {name: b64encode(content).decode() for name, content in self.files.items()}
        return {**asdict(self), "files": coded}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """From `to_json`."""
        files = {name: b64decode(text) for name, text in data["files"].items()}
        names = data.get("exercises")
        exercises = None if names is None else tuple(names)
        return cls(**{**data, "files": files, "exercises": exercises})


@dataclass(frozen=True)
class Judged:
    """What came of a job."""

    report: Report | None
    """None where it cannot be read"""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    problem: str = ""
    """why it cannot be read"""
    lines: Mapping[str, str] = field(default_factory=dict)
    """ "file:line" -> the learner's line that a diagnosis points to, without its comment"""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """exercise -> fingerprint of its wrong numbers, for failures no bug explains"""
    shapes: Mapping[str, str] = field(default_factory=dict)
    """exercise -> hash of its definition up to names and layout"""
    fingerprints: tuple[int, ...] = ()
    """of all its code that the exercises use"""
    notes: tuple[str, ...] = ()
    """what was read of it, what not, and what is not run"""
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """exercise -> what its failing check shows: `stage`, `facts`, `code`"""
    hints: tuple[str, ...] = ()
    """what the teacher should look at"""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "report": self.report.to_json() if self.report else None,
            "wall_s": round(self.wall_s, 4),
            "cpu_s": round(self.cpu_s, 4),
            "problem": self.problem,
            "lines": dict(self.lines),
            "clusters": dict(self.clusters),
            "shapes": dict(self.shapes),
            "fingerprints": list(self.fingerprints),
            "notes": list(self.notes),
            "details": {name: dict(shown) for name, shown in self.details.items()},
            "hints": list(self.hints),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Judged:
        """From `to_json`."""
        report = Report.from_json(data["report"]) if data["report"] else None
        lists = {name: tuple(data.get(name, ())) for name in ("notes", "hints", "fingerprints")}
        return cls(**{**data, "report": report, **lists})


@dataclass(frozen=True)
class Settings:
    """How a judge is to be made, on this machine or on another."""

    factory: str
    """MODULE:FUNCTION, called with these settings"""
    require: str | None = None
    """the weakest isolation tier to judge under"""
    deadline_s: float | None = None
    """CPU seconds for one call of the learner's code"""

    def to_json(self) -> str:
        """As one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """From `to_json`."""
        return cls(**json.loads(text))


class InfrastructureFaultError(Exception):
    """The machine or attnpack failed, not the submission: the job may be tried again."""

"""What a workspace remembers: `.attnpack/state.json`, kept by the exercise's name.

The file is written whole and then moved into place, so that it is never half a file. One
that cannot be read is set aside, never deleted, and a new one is begun.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from attnpack.errors import BadInputError
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from attnpack.report.model import ExerciseReport

VERSION: Final = 1
FOLDER: Final = ".attnpack"
FILE: Final = "state.json"


@dataclass(frozen=True)
class Progress:
    """One exercise so far. Times are ISO 8601 in UTC."""

    status: Status = Status.NOT_STARTED
    checks: int = 0
    first_checked: str | None = None
    first_passed: str | None = None
    bug: str | None = None
    """the diagnosis of the last check, if it had one"""
    bugs_met: tuple[str, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)
    """steps taken, by bug id; under the exercise's own name for its general hints"""
    text: str | None = None
    """fingerprint of what was checked last (judged.py): `status` is of no other text"""


@dataclass(frozen=True)
class State:
    """All that a workspace remembers."""

    pack: str
    """fingerprint of the pack that gave out the stubs"""
    backend: str
    stubs: Mapping[str, str] = field(default_factory=dict)
    """file name -> hash of the text as attnpack last wrote it"""
    exercises: Mapping[str, Progress] = field(default_factory=dict)
    seed: int | None = None
    """of the last check, for `repro` and `debug`"""
    pack_name: str | None = None
    """None for attnpack's own, as `place`"""
    place: str | None = None
    """by what the pack is found: a folder, or an installed name; None for attnpack's own"""
    chapters: tuple[str, ...] = ()
    """that were laid out; none for a workspace from before there were several: the first"""

    def progress(self, exercise: str) -> Progress:
        """What is known of one exercise."""
        return self.exercises.get(exercise, Progress())

    def with_progress(self, exercise: str, progress: Progress) -> State:
        """The same with one exercise's progress replaced."""
        return replace(self, exercises={**self.exercises, exercise: progress})


def after_check(known: Progress, exercise: ExerciseReport, text: str, now: datetime) -> Progress:
    """What is known of an exercise once this text of it has been checked; `now` is in UTC."""
    at = now.isoformat(timespec="seconds")
    bugs = tuple(dict.fromkeys(bug.id for check in exercise.checks for bug in check.bugs))
    started = exercise.status is not Status.NOT_STARTED
    passed = exercise.status is Status.PASSED
    return replace(
        known,
        status=exercise.status,
        text=text if started else None,
        checks=known.checks + started,
        first_checked=known.first_checked or (at if started else None),
        first_passed=known.first_passed or (at if passed else None),
        bug=bugs[0] if bugs else None,
        bugs_met=known.bugs_met + tuple(bug for bug in bugs if bug not in known.bugs_met),
    )


def read(root: Path) -> State | None:
    """The state of the workspace at `root`; None where there is none that can be read.

    Raises BadInputError where a newer attnpack wrote it.
    """
    path = root / FOLDER / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] > VERSION:
            raise BadInputError(
                f"{path} was written by a newer attnpack (version {data['version']} of the file, "
                f"this one reads {VERSION}). Update attnpack: pip install -U attnpack"
            )
        return _state(data)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def set_aside(root: Path) -> Path | None:
    """Move a state file that cannot be read to `state.json.broken-N`; None where there is none."""
    path = root / FOLDER / FILE
    if not path.exists():
        return None
    number = 1
    while (aside := path.with_name(f"{FILE}.broken-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


def write(root: Path, state: State) -> None:
    """Write the state so that a crash leaves the old file or the new one, never a part.

    Raises FileNotFoundError where the workspace is no longer there: it is not made anew.
    """
    (root / FOLDER).mkdir(exist_ok=True)
    text = json.dumps({"version": VERSION, **asdict(state)}, indent=1) + "\n"
    write_whole(root / FOLDER / FILE, text)


def write_whole(path: Path, text: str) -> None:
    """Write a text file by moving a finished one into place.

    Raises OSError where the disk or the folder does not allow it; the old file is then intact.
    """
    with finished(path, text) as new:
        new.replace(path)


def write_in_place_of(path: Path, text: str, backup: Path) -> None:
    """As `write_whole`, with what is there moved to `backup` once the new text is on the disk.

    Raises OSError; the old file is then where it was.
    """
    with finished(path, text) as new:
        backup.parent.mkdir(parents=True, exist_ok=True)
        path.rename(backup)
        try:
            new.replace(path)
        except BaseException:
            backup.rename(path)
            raise


@contextmanager
def finished(path: Path, text: str) -> Iterator[Path]:
    """A file beside `path` that holds the text, on the disk; gone afterwards if not moved."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        yield unfinished
    finally:
        unfinished.unlink(missing_ok=True)


def _state(data: Mapping[str, Any]) -> State:
    return State(
        pack=_text(data["pack"]),
        backend=Backend(data["backend"]).value,
        stubs={file: _text(digest) for file, digest in data["stubs"].items()},
        exercises={name: _progress(entry) for name, entry in data["exercises"].items()},
        seed=None if data["seed"] is None else _count(data["seed"]),
        pack_name=_text_or_none(data.get("pack_name")),
        place=_text_or_none(data.get("place")),
        chapters=tuple([_text(name) for name in data.get("chapters", ())]),
    )


def _progress(entry: Mapping[str, Any]) -> Progress:
    return Progress(
        status=Status(entry["status"]),
        checks=_count(entry["checks"]),
        first_checked=_text_or_none(entry["first_checked"]),
        first_passed=_text_or_none(entry["first_passed"]),
        bug=_text_or_none(entry["bug"]),
        bugs_met=tuple([_text(bug) for bug in entry["bugs_met"]]),
        hints={key: _count(steps) for key, steps in entry["hints"].items()},
        text=_text_or_none(entry.get("text")),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError("no count")
    return value

"""What would be read, as whose, and what not: a run that judges nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.grade.archive import UnreadableError
from attnpack.grade.discover import HandIn
from attnpack.grade.intake import take_in
from attnpack.grade.loading import load_with_names
from attnpack.grade.names import Owner
from attnpack.grade.presence import WHY
from attnpack.grade.relabel import renamed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from attnpack.grade.roster import Roster
    from attnpack.pack import Pack


def told(hand_ins: Sequence[HandIn], roster: Roster, pack: Pack) -> Iterator[str]:
    """A few lines for each submission; nothing of it is run."""
    seen = set()
    for hand_in in hand_ins:
        people, match = roster.look_up(hand_in.owner)
        seen |= set(people)
        owner = " and ".join(student.key for student in people) or hand_in.owner.student
        nobody = f" ({WHY[match]})" if roster.students and not people else ""
        yield f"{hand_in.submission}: {owner}{nobody}"
        yield from (f"  {line}" for line in of_one(hand_in, pack))
    missing = [student.key for student in roster.students if student not in seen]
    if missing:
        yield f"On the roster, and nothing is here of: {', '.join(missing)}"


def of_path(path: Path, pack: Pack) -> Iterator[str]:
    """The same for one file, folder or archive."""
    return of_one(HandIn(path.name, Owner(path.stem), (path,)), pack)


def of_one(hand_in: HandIn, pack: Pack) -> Iterator[str]:
    """What is read of one hand-in, and what not."""
    intake = take_in(hand_in)
    if intake.problem:
        yield f"cannot be read: {intake.problem}"
        return
    try:
        chosen = load_with_names(intake.files, pack)
    except UnreadableError as error:
        yield f"cannot be read: {error}"
        return
    found = chosen.submission
    names = {name: _own(file, chosen.shown, intake.shown) for name, file in found.entries.items()}
    files: dict[str, list[str]] = {}
    for name, file in names.items():
        files.setdefault(file, []).append(name if found.started(name) else f"{name} (as its stub)")
    for file, exercises in files.items():
        yield f"{file}: {', '.join(exercises)} ({found.backend})"
    absent = [e.name for e in pack.chapters[0].exercises if e.name not in found.entries]
    if absent:
        yield f"not found: {', '.join(absent)}"
    yield from (*intake.notes, *found.remarks)


def _own(file: str, *shown: Mapping[str, str]) -> str:
    for names in shown:
        file = renamed(file, names)
    return file
